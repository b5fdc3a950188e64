package convert

import (
	"encoding/xml"
	"errors"

	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/pathmap"
)

// Result is a converted VMI.
type Result struct {
	// Domain is the domain that boots the VMI. It shares nothing with the VMI.
	Domain *libvirtxml.Domain
}

// VMI converts vmi into the domain that KubeVirt boots on the node that ctx
// describes. Admission defaults are applied to a copy first; vmi is never
// written to. Every problem is reported, as FieldErrors joined by errors.Join.
func VMI(vmi *v1.VirtualMachineInstance, ctx Context) (*Result, error) {
	s, err := run(vmi, &ctx, nil)
	if err != nil {
		return nil, err
	}
	return &Result{Domain: s.dom}, nil
}

// step shapes one piece of hardware.
type step struct {
	name string
	run  func(*state)
}

// steps is the whole conversion in order. Each step appends to lists of the
// domain that no other step writes, or fills fields that no other step writes;
// where one step needs what another one decided, it calls the function that
// decides it instead of reading the domain, except for the last group, which
// looks at the finished hardware.
var steps = []step{
	{"text", (*state).text},
	{"identity", (*state).identity},
	{"hypervisor", (*state).hypervisor},
	{"interfaces", (*state).interfaces},
	{"tpm", (*state).tpm},
	{"vsock", (*state).vsock},
	{"launch security", (*state).launchSecurity},
	{"channels", (*state).channels},
	{"clock", (*state).clock},
	{"rng", (*state).rng},
	{"inputs", (*state).inputs},
	{"balloon", (*state).balloon},
	{"graphics", (*state).graphics},
	{"sound", (*state).sound},
	{"host devices", (*state).hostDevices},
	{"watchdog", (*state).watchdog},
	{"serial console", (*state).serialConsole},
	{"panic devices", (*state).panicDevices},
	{"features", (*state).features},
	{"smbios", (*state).smbios},
	{"machine", (*state).machine},
	{"firmware", (*state).firmware},
	{"filesystems", (*state).filesystems},
	{"usb redirection", (*state).usbRedirection},
	{"controllers", (*state).controllers},
	{"qemu command line", (*state).qemuCommandLine},
	{"cpu", (*state).cpu},
	{"io threads", (*state).ioThreadCount},
	{"memory", (*state).memory},
	{"reboot policy", (*state).rebootPolicy},
	{"iommufd", (*state).iommufd},
	{"memory backing", (*state).memoryBacking},
	{"disks", (*state).disks},
	{"conflicts", (*state).conflicts},

	// These look at the hardware above.
	{"pinning", (*state).pinning},
	{"numa", (*state).numa},
	{"pre-start", (*state).preStart},
	{"pci placement", (*state).pciPlacement},
}

// state is one conversion under way. Steps read vmi and ctx, write dom, and
// report through refuse and the causes' recorder; they keep nothing else.
type state struct {
	vmi *v1.VirtualMachineInstance // defaulted; shares memory with the one handed in, so nobody writes to it
	ctx *Context
	arch
	dom *libvirtxml.Domain

	why      *recorder // nil unless causes are wanted
	problems []error

	plan
}

// plan holds what several steps need and one function decides, once.
type plan struct {
	threads  *ioThreadPlan
	allDisks *storagePlan
	pod      *pathmap.Layout
	badUID   bool // and already refused
	nics     []nicKind

	networkAt, statusAt, claimAt map[string]int // where networks, the status of NICs and claims stand by name, if they are many
}

func run(vmi *v1.VirtualMachineInstance, ctx *Context, why *recorder) (*state, error) {
	s, err := begin(vmi, ctx, why)
	if err != nil {
		return nil, err
	}
	for i := range steps {
		s.why.enter(steps[i].name)
		steps[i].run(s)
	}
	if len(s.problems) > 0 {
		return nil, errors.Join(s.problems...)
	}
	return s, nil
}

// begin is a conversion as its first step finds it: with a defaulted copy of the
// VMI and an empty domain.
func begin(vmi *v1.VirtualMachineInstance, ctx *Context, why *recorder) (*state, error) {
	if vmi == nil {
		return nil, errors.New("no VMI to convert")
	}
	s := &state{ctx: ctx, why: why, dom: newDomain()}
	var ok bool
	if s.arch, ok = archOf(ctx.Node.Architecture); !ok {
		s.refuse(fact("node.architecture"), ctx.Node.Architecture, "want amd64, arm64 or s390x")
		return nil, errors.Join(s.problems...)
	}
	s.vmi = copyForDefaults(vmi)
	s.why.enter("defaults")
	s.defaults()
	return s, nil
}

// newDomain has the parents that several steps write below.
func newDomain() *libvirtxml.Domain {
	return &libvirtxml.Domain{
		XMLName:  xml.Name{Local: "domain"},
		OS:       &libvirtxml.DomainOS{Type: &libvirtxml.DomainOSType{}},
		Features: &libvirtxml.DomainFeatureList{},
		CPU:      &libvirtxml.DomainCPU{},
		Devices:  &libvirtxml.DomainDeviceList{},
	}
}
