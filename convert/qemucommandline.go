package convert

import (
	"strings"

	"libvirt.org/go/libvirtxml"
)

const (
	ignitionAnnotation = "kubevirt.io/ignitiondata"

	// firmwareLogVerbosity is the launcher's verbosity above which it logs what the
	// firmware writes.
	firmwareLogVerbosity = 5
)

// qemuCommandLine adds what libvirt has no element for: the Ignition file and the port
// the firmware logs to (compute.md 24).
func (s *state) qemuCommandLine() {
	if strings.Contains(s.vmi.Annotations[ignitionAnnotation], "ignition") {
		s.qemuArgs("QEMU hands the Ignition file to the guest's firmware", annotation(ignitionAnnotation),
			"-fw_cfg", "name=opt/com.coreos/config,file="+qemuText(s.ignitionFile()))
	}
	switch {
	case !s.amd64():
	case s.ctx.LogVerbosity == 0:
		s.part("").unknown("qemu:commandline", "a launcher more verbose than 5 logs what the firmware writes to the debug port", fact("logVerbosity"))
	case s.ctx.LogVerbosity > firmwareLogVerbosity:
		s.qemuArgs("a launcher this verbose logs what the firmware writes to the debug port", fact("logVerbosity"),
			"-chardev", "file,id=firmwarelog,path="+s.layout().FirmwareLog(),
			"-device", "isa-debugcon,iobase=0x402,chardev=firmwarelog")
	}
}

// ignitionFile is the file that the launcher writes the Ignition configuration to.
func (s *state) ignitionFile() string {
	dir, ok := s.layout().IgnitionDir()
	if !ok {
		s.refuse(field("metadata.namespace"), s.vmi.Namespace+"/"+s.vmi.Name,
			"the Ignition file lies in directories named after namespace and name, want plain names")
	}
	return dir + "/data.ign"
}

// qemuArgs adds arguments to QEMU's command line.
func (s *state) qemuArgs(reason string, from ref, args ...string) {
	if s.dom.QEMUCommandline == nil {
		s.dom.QEMUCommandline = &libvirtxml.DomainQEMUCommandline{}
	}
	line := s.dom.QEMUCommandline
	d := s.part("qemu:commandline")
	for _, value := range args {
		d.child("qemu:arg", len(line.Args)).policy("", reason, from)
		line.Args = append(line.Args, libvirtxml.DomainQEMUCommandlineArg{Value: value})
	}
}

// qemuText is text inside an option of QEMU, where a comma would begin the next option and
// is therefore doubled. No name that the API server takes has one.
func qemuText(text string) string {
	return strings.ReplaceAll(text, ",", ",,")
}
