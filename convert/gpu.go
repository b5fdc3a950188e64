package convert

import "libvirt.org/go/libvirtxml"

const displayRest = "virtualGPUOptions.display"

// mediatedDisplay lets a virtual GPU show the guest's display, and its boot screen too,
// where the VMI asks for it (compute.md 21.3).
func (s *state) mediatedDisplay(r *request, x *libvirtxml.DomainHostdevSubsysMDev, d element) {
	if r.display == nil || isFalse(r.display.Enabled) {
		return
	}
	x.Display = "on"
	d.because("@display", "the display asked for", r.where(displayRest+".enabled"))
	if f := r.display.RamFB; f == nil || !isFalse(f.Enabled) {
		x.RamFB = "on"
		d.because("@ramfb", "the display asked for begins with the boot screen unless told otherwise",
			r.where(displayRest+".ramFB.enabled"), r.where(displayRest+".enabled"))
	}
}

// pciDisplay does the same for a whole GPU, which shows a display only where it is switched
// on in so many words, and never one of a resource claim.
func (s *state) pciDisplay(r *request, x *libvirtxml.DomainHostdevSubsysPCI, d element) {
	if r.display == nil || r.claimed() || !isTrue(r.display.Enabled) {
		return
	}
	x.Display = "on"
	d.because("@display", "the display is switched on", r.where(displayRest+".enabled"))
	if f := r.display.RamFB; f != nil && isTrue(f.Enabled) {
		x.RamFB = "on"
		d.because("@ramfb", "the boot screen is switched on", r.where(displayRest+".ramFB.enabled"))
	}
}

// defaultDisplay lets the first virtual GPU show the guest's display where no GPU of the
// VMI is told to or not to. GPUs of device plugins and those of resource claims each have
// a first one.
func (s *state) defaultDisplay(gpus []request, claimed bool) {
	first := -1
	for i := range gpus {
		switch r := &gpus[i]; {
		case r.display != nil:
			return
		case r.mediated > 0 && r.claimed() == claimed && first < 0:
			first = i
		}
	}
	if first < 0 {
		return
	}
	r := &gpus[first]
	x := s.dom.Devices.Hostdevs[r.mediated-1].SubsysMDev
	x.Display, x.RamFB = "on", "on"
	if d := s.device("hostdev", r.mediated-1); d.on() {
		const reason = "the first virtual GPU shows the display, from the boot screen on, where no GPU is told to or not to"
		d.because("@display", reason, r.where(displayRest+".enabled"), r.asked())
		d.because("@ramfb", reason, r.where(displayRest+".enabled"), r.asked())
	}
}
