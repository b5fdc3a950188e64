package convert

func (s *state) balloon() {}
