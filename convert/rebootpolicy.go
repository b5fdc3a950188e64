package convert

func (s *state) rebootPolicy() {}

func (s *state) iommufd() {}
