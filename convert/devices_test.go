package convert

import (
	"reflect"
	"strings"
	"testing"
)

// TestCase04InputDefault: the default bus of an input brings the USB controller, whichever
// step runs first, and the VMI stays as it was.
func TestCase04InputDefault(t *testing.T) {
	s := testState(t, `
metadata: {name: vm-a, namespace: shop}
spec: {domain: {memory: {guest: 1Gi}, devices: {inputs: [{name: tablet, type: tablet}]}}}`, "{}")
	s.vmi.Spec.Domain.Devices.Inputs[0].Bus = "" // as the user wrote it
	before := s.vmi.DeepCopy()
	var texts [2]string
	for i := range texts {
		r, err := VMI(s.vmi, *s.ctx)
		if err != nil {
			t.Fatal(err)
		}
		if texts[i], err = r.XML(); err != nil {
			t.Fatal(err)
		}
		if bus := r.Domain.Devices.Inputs[0].Bus; bus != "usb" {
			t.Errorf("the tablet is on %q, want usb", bus)
		}
		if model := r.Domain.Devices.Controllers[0].Model; model != "qemu-xhci" {
			t.Errorf("the USB controller is %q, want qemu-xhci", model)
		}
	}
	if texts[0] != texts[1] {
		t.Error("two conversions differ")
	}
	if !reflect.DeepEqual(before, s.vmi) {
		t.Error("the VMI was written to")
	}
	s.controllers() // before the inputs
	if model := s.dom.Devices.Controllers[0].Model; model != "qemu-xhci" {
		t.Errorf("before the inputs the USB controller is %q", model)
	}
}

// TestCase08BootOrder: gaps stay, nothing is renumbered, no list stands in the os element;
// two devices of one order are refused and both are named.
func TestCase08BootOrder(t *testing.T) {
	const vmi = `
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    memory: {guest: 1Gi}
    devices:
      disks: [{name: cd, cdrom: {bus: sata}, bootOrder: 1}, {name: first, disk: {bus: virtio}}, {name: second, disk: {bus: virtio}, bootOrder: 4}]
  volumes:
  - {name: cd, persistentVolumeClaim: {claimName: a}}
  - {name: first, persistentVolumeClaim: {claimName: b}}
  - {name: second, persistentVolumeClaim: {claimName: c}}
`
	s := testState(t, vmi, "{}")
	r, err := VMI(s.vmi, *s.ctx)
	if err != nil {
		t.Fatal(err)
	}
	disks := r.Domain.Devices.Disks
	if disks[0].Boot.Order != 1 || disks[1].Boot != nil || disks[2].Boot.Order != 4 || len(r.Domain.OS.BootDevices) != 0 {
		t.Errorf("boot orders %v, %v, %v, list %v", disks[0].Boot, disks[1].Boot, disks[2].Boot, r.Domain.OS.BootDevices)
	}
	s = testState(t, replaceOnce(vmi, "bootOrder: 4", "bootOrder: 1"), "{}")
	_, err = VMI(s.vmi, *s.ctx)
	if err == nil || !strings.Contains(err.Error(), "disk second and disk cd") {
		t.Errorf("one order twice: %v", err)
	}
}

// TestCase22AllAtOnce: what is wrong with different devices is told in one run, in a stable
// order, each with the field it comes from.
func TestCase22AllAtOnce(t *testing.T) {
	s := testState(t, `
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    memory: {guest: 1Gi}
    devices:
      sound: {name: snd, model: sb16}
      gpus: [{name: g, deviceName: example.com/gpu}]
      interfaces: [{name: gone, bridge: {}}]`, "{}")
	want := []string{"spec.domain.devices.interfaces[0].name", "spec.domain.devices.sound.model", "spec.domain.devices.gpus[0].deviceName"}
	for range 3 {
		_, err := VMI(s.vmi, *s.ctx)
		if err == nil {
			t.Fatal("converted")
		}
		var got []string
		for _, line := range strings.Split(err.Error(), "\n") {
			got = append(got, line[:strings.Index(line, ":")])
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestIgnitionText(t *testing.T) {
	if got := qemuText("/a,b/c"); got != "/a,,b/c" {
		t.Errorf("got %s: a comma must not begin another option", got)
	}
}

func TestParseUSBAddress(t *testing.T) {
	for _, tc := range []struct {
		reason, text string
		want         bool
	}{
		{"bus and device", "1:3", true},
		{"leading zeros", "001:012", true},
		{"no colon", "13", false},
		{"no device", "1:", false},
		{"two colons", "1:2:3", false},
		{"a sign", "+1:3", false},
		{"hexadecimal", "a:3", false},
		{"too long", "0001:3", false},
	} {
		if _, ok := parseUSBAddress(tc.text); ok != tc.want {
			t.Errorf("%s: %q is read: %v", tc.reason, tc.text, ok)
		}
	}
}
