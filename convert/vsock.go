package convert

func (s *state) vsock() {}
