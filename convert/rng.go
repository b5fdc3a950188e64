package convert

func (s *state) rng() {}
