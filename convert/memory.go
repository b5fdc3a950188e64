package convert

func (s *state) memory() {}

func (s *state) memoryBacking() {}
