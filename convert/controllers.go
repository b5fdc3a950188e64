package convert

func (s *state) controllers() {}
