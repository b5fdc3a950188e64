package convert

func (s *state) features() {}
