package convert

func (s *state) watchdog() {}
