package convert

import "libvirt.org/go/libvirtxml"

const panicList = "spec.domain.devices.panicDevices"

// panicDevices lets the guest tell of its panic (compute.md 20.11). Whether the
// architecture has the model is for libvirt to say.
func (s *state) panicDevices() {
	devices := s.vmi.Spec.Domain.Devices.PanicDevices
	for i := range devices {
		model, where := "", fieldAt(panicList, i, "model")
		if devices[i].Model != nil {
			model = string(*devices[i].Model)
		}
		if model != "" {
			s.oneOf(where, model, "isa", "hyperv", "pvpanic", "pseries", "s390")
		}
		d := s.device("panic", len(s.dom.Devices.Panics))
		s.dom.Devices.Panics = append(s.dom.Devices.Panics, libvirtxml.DomainPanic{Model: model})
		d.because("", "the VMI has a panic device and leaves the model to libvirt", where, fieldAt(panicList, i, ""))
		d.because("@model", "the model asked for", where)
	}
}
