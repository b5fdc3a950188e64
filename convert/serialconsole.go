package convert

import (
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/pathmap"
)

const (
	serialField    = "spec.domain.devices.autoattachSerialConsole"
	serialLogField = "spec.domain.devices.logSerialConsole"
	serialLogOffIn = "cluster.virtualMachineOptions.disableSerialConsoleLog"
)

// serialConsole adds the first serial port, the console on it, and the log of what the
// guest writes there (compute.md 20.9).
func (s *state) serialConsole() {
	if isFalse(s.vmi.Spec.Domain.Devices.AutoattachSerialConsole) {
		return
	}
	serial := libvirtxml.DomainSerial{
		Source: unixSocket(s.podFile(firstSerialSocket)),
		Target: &libvirtxml.DomainSerialTarget{Port: new(uint)},
	}
	d := s.device("serial", len(s.dom.Devices.Serials))
	if s.serialLog(d) {
		serial.Log = &libvirtxml.DomainChardevLog{File: s.podFile(firstSerialLog), Append: "on"}
	}
	c := s.device("console", len(s.dom.Devices.Consoles))
	s.dom.Devices.Serials = append(s.dom.Devices.Serials, serial)
	s.dom.Devices.Consoles = append(s.dom.Devices.Consoles, libvirtxml.DomainConsole{
		Source: &libvirtxml.DomainChardevSource{Pty: &libvirtxml.DomainChardevSourcePty{}},
		Target: &libvirtxml.DomainConsoleTarget{Type: "serial", Port: new(uint)},
	})
	d.policy("", "the console is the first serial port, on a socket that only the pod can reach", field(serialField))
	d.because("source/@path", podFileReason, field("metadata.uid"))
	c.policy("", "the console is the first serial port", field(serialField))
}

func firstSerialSocket(l pathmap.Layout) (string, bool) { return l.SerialSocket(0) }

func firstSerialLog(l pathmap.Layout) (string, bool) { return l.SerialLog(0) }

// serialLog says whether what the guest writes to its console is logged: as the VMI says,
// else unless the cluster says no.
func (s *state) serialLog(d element) bool {
	if asked := s.vmi.Spec.Domain.Devices.LogSerialConsole; asked != nil {
		d.policy("log", "the log is asked for, and it goes on after a restart", field(serialLogField))
		d.because("log/@file", podFileReason, field("metadata.uid"), field(serialLogField))
		return *asked
	}
	options := s.ctx.Cluster.VirtualMachineOptions
	if options != nil && options.DisableSerialConsoleLog != nil {
		return false
	}
	d.policy("log", "the console is logged unless the VMI or the cluster says no, and the log goes on after a restart",
		field(serialLogField), fact(serialLogOffIn))
	d.because("log/@file", podFileReason, field("metadata.uid"), field(serialLogField), fact(serialLogOffIn))
	return true
}

// unixSocket is a socket that QEMU listens on.
func unixSocket(path string) *libvirtxml.DomainChardevSource {
	return &libvirtxml.DomainChardevSource{UNIX: &libvirtxml.DomainChardevSourceUNIX{Mode: "bind", Path: path}}
}
