package convert

func (s *state) interfaces() {}
