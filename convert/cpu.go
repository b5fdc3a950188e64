package convert

func (s *state) cpu() {}
