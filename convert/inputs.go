package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

const inputList = "spec.domain.devices.inputs"

// inputs adds the pointing devices of the VMI and those that a display needs to be of use
// on architectures without PS/2 (compute.md 20.8). On s390x a tablet is on USB too where
// no bus is named, though no such guest has a USB controller; upstream does the same.
func (s *state) inputs() {
	inputs := s.vmi.Spec.Domain.Devices.Inputs
	for i := range inputs {
		s.input(i)
	}
	if isFalse(s.vmi.Spec.Domain.Devices.AutoattachGraphicsDevice) {
		return
	}
	switch {
	case s.arm64():
		if !s.hasTablet() {
			s.displayInput("tablet", "usb", "the display needs a pointer, and the VMI names none", field(inputList))
		}
		s.displayInput("keyboard", "usb", "the display needs a keyboard, and arm64 has none of its own")
	case s.s390x():
		s.displayInput("keyboard", "virtio", "the display needs a keyboard, and s390x has none of its own")
	}
}

func (s *state) input(i int) {
	input := &s.vmi.Spec.Domain.Devices.Inputs[i]
	bus, model := inputBus(input), ""
	switch bus {
	case "usb":
	case "virtio":
		model = "virtio"
	default:
		s.refuse(fieldAt(inputList, i, "bus"), bus, "no such input bus, want usb or virtio")
	}
	if input.Type != v1.InputTypeTablet {
		s.refuse(fieldAt(inputList, i, "type"), input.Type, "no such input device, want tablet")
	}
	d := s.device("input", len(s.dom.Devices.Inputs))
	s.dom.Devices.Inputs = append(s.dom.Devices.Inputs, libvirtxml.DomainInput{
		Type:  string(input.Type),
		Bus:   bus,
		Model: model,
		Alias: s.alias("", input.Name, fieldAt(inputList, i, "name"), d),
	})
	d.because("@type", "the device asked for", fieldAt(inputList, i, "type"))
	d.because("@bus", "the bus asked for, or the usual one", fieldAt(inputList, i, "bus"))
	d.policy("@model", "the virtio model that fits every machine", fieldAt(inputList, i, "bus"))
}

// inputBus is the bus of an input device; without a word about it that is USB.
func inputBus(input *v1.Input) string {
	if input.Bus == "" {
		return "usb"
	}
	return string(input.Bus)
}

func (s *state) hasTablet() bool {
	for i := range s.vmi.Spec.Domain.Devices.Inputs {
		if s.vmi.Spec.Domain.Devices.Inputs[i].Type == v1.InputTypeTablet {
			return true
		}
	}
	return false
}

// displayInput adds an input device that nobody asked for by name.
func (s *state) displayInput(kind, bus, reason string, from ...ref) {
	d := s.device("input", len(s.dom.Devices.Inputs))
	s.dom.Devices.Inputs = append(s.dom.Devices.Inputs, libvirtxml.DomainInput{Type: kind, Bus: bus})
	if d.on() {
		d.policy("", reason, append(from, field("spec.domain.devices.autoattachGraphicsDevice"), fact("node.architecture"))...)
	}
}
