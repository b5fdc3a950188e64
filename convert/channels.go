package convert

func (s *state) channels() {}
