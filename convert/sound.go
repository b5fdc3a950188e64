package convert

func (s *state) sound() {}
