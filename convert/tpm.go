package convert

import "libvirt.org/go/libvirtxml"

const tpmField = "spec.domain.devices.tpm"

// tpm adds an emulated TPM 2.0, on every architecture alike (compute.md 20.4). One that
// keeps its state is of the newer model, which Windows wants.
func (s *state) tpm() {
	t := s.vmi.Spec.Domain.Devices.TPM
	if t == nil || isFalse(t.Enabled) {
		return
	}
	model, backend := "tpm-tis", &libvirtxml.DomainTPMBackendEmulator{Version: "2.0"}
	if isTrue(t.Persistent) {
		model, backend.PersistentState = "tpm-crb", "yes"
	}
	d := s.device("tpm", len(s.dom.Devices.TPMs))
	s.dom.Devices.TPMs = append(s.dom.Devices.TPMs, libvirtxml.DomainTPM{
		Model:   model,
		Backend: &libvirtxml.DomainTPMBackend{Emulator: backend},
	})
	d.policy("", "a TPM 2.0 emulated by swtpm is the one kind there is", field(tpmField))
	d.because("@model", "one model for a TPM that keeps its state, another for one that does not", field(tpmField+".persistent"))
	d.because("backend/@persistent_state", "the state is to outlive the guest", field(tpmField+".persistent"))
}
