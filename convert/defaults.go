package convert

func (s *state) defaults() {}
