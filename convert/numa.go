package convert

func (s *state) numa() {}
