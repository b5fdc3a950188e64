package convert

func (s *state) pinning() {}
