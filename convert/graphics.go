package convert

func (s *state) graphics() {}
