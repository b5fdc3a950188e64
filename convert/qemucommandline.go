package convert

func (s *state) qemuCommandLine() {}
