package convert

func (s *state) usbRedirection() {}
