package convert

func (s *state) smbios() {}
