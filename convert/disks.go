package convert

func (s *state) disks() {}
