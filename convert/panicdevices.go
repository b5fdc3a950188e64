package convert

func (s *state) panicDevices() {}
