package convert

func (s *state) inputs() {}
