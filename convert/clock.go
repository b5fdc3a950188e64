package convert

func (s *state) clock() {}
