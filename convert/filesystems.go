package convert

func (s *state) filesystems() {}
