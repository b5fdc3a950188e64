package convert

func (s *state) tpm() {}
