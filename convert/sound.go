package convert

import "libvirt.org/go/libvirtxml"

// sound adds the sound card (compute.md 20.6).
func (s *state) sound() {
	card := s.vmi.Spec.Domain.Devices.Sound
	if card == nil {
		return
	}
	model, where := card.Model, field("spec.domain.devices.sound.model")
	switch model {
	case "":
		model = "ich9"
	case "ich9", "ac97":
	default:
		s.refuse(where, model, "no such sound card, want ich9 or ac97")
	}
	d := s.device("sound", len(s.dom.Devices.Sounds))
	s.dom.Devices.Sounds = append(s.dom.Devices.Sounds, libvirtxml.DomainSound{
		Model: model,
		Alias: s.alias("", card.Name, field("spec.domain.devices.sound.name"), d),
	})
	d.because("@model", "the card asked for, or the usual one", where, field("spec.domain.devices.sound"))
}
