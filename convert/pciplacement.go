package convert

func (s *state) pciPlacement() {}
