package convert

func (s *state) launchSecurity() {}
