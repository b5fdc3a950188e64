package convert

import (
	"strings"

	"libvirt.org/go/libvirtxml"
)

const (
	ignitionAnnotation = "kubevirt.io/ignitiondata"
	ignitionData       = "/var/run/kubevirt-ephemeral-disks/ignition-data"

	// firmwareLogVerbosity is the launcher's verbosity above which it logs what the
	// firmware writes.
	firmwareLogVerbosity = 5
	firmwareLogPipe      = "/var/run/kubevirt-private/QEMUSeaBiosDebugPipe"
)

// qemuCommandLine adds what libvirt has no element for: the Ignition file and the port
// the firmware logs to (compute.md 24).
func (s *state) qemuCommandLine() {
	var line libvirtxml.DomainQEMUCommandline
	d := s.part("qemu:commandline")
	add := func(reason string, from ref, args ...string) {
		for _, value := range args {
			d.child("qemu:arg", len(line.Args)).policy("", reason, from)
			line.Args = append(line.Args, libvirtxml.DomainQEMUCommandlineArg{Value: value})
		}
	}
	if strings.Contains(s.vmi.Annotations[ignitionAnnotation], "ignition") {
		add("QEMU hands the Ignition file to the guest's firmware", annotation(ignitionAnnotation),
			"-fw_cfg", "name=opt/com.coreos/config,file="+qemuText(ignitionData+"/"+s.vmi.Namespace+"/"+s.vmi.Name+"/data.ign"))
	}
	if s.amd64() && s.ctx.LogVerbosity > firmwareLogVerbosity {
		add("a launcher this verbose logs what the firmware writes to the debug port", fact("logVerbosity"),
			"-chardev", "file,id=firmwarelog,path="+firmwareLogPipe,
			"-device", "isa-debugcon,iobase=0x402,chardev=firmwarelog")
	}
	if len(line.Args) > 0 {
		s.dom.QEMUCommandline = &line
	}
}

// qemuText is text inside an option of QEMU, where a comma would begin the next option.
func qemuText(text string) string {
	return strings.ReplaceAll(text, ",", ",,")
}
