package convert

func (s *state) preStart() {}
