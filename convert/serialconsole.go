package convert

func (s *state) serialConsole() {}
