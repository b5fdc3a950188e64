package convert

func (s *state) firmware() {}
