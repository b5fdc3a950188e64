package convert

func (s *state) hostDevices() {}
