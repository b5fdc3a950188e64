package convert

import (
	"errors"

	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// Sizes of the blocks in which a virtio-mem device gives memory to the guest.
const (
	memoryBlock     = 2 << 20
	hugeMemoryBlock = 1 << 30 // for guests on huge pages of 1Gi
)

// MemoryDevice is the device through which a running guest gets the memory that
// was added to vmi since it booted (compute.md 11.5): to be attached when there is
// none yet, or else to update the one there. It can grow up to memory.maxGuest.
// vmi is never written to; problems are FieldErrors, joined.
func MemoryDevice(vmi *v1.VirtualMachineInstance, ctx Context) (*libvirtxml.DomainMemorydev, error) {
	s, err := begin(vmi, &ctx, nil)
	if err != nil {
		return nil, err
	}
	device := s.memoryDevice()
	if len(s.problems) > 0 {
		return nil, errors.Join(s.problems...)
	}
	return device, nil
}

func (s *state) memoryDevice() *libvirtxml.DomainMemorydev {
	m, status := s.vmi.Spec.Domain.Memory, s.vmi.Status.Memory
	guestField, maxField := field("spec.domain.memory.guest"), field("spec.domain.memory.maxGuest")
	if m == nil || m.Guest == nil || m.MaxGuest == nil {
		s.refuse(maxField, nil, "memory can be added only up to a limit, want memory.guest and memory.maxGuest")
		return nil
	}
	if status == nil || status.GuestAtBoot == nil {
		s.refuse(field("status.memory.guestAtBoot"), nil, "want the memory that the guest booted with")
		return nil
	}
	boot := s.memoryBytes(*status.GuestAtBoot, field("status.memory.guestAtBoot"))
	guest, limit := s.memoryBytes(*m.Guest, guestField), s.memoryBytes(*m.MaxGuest, maxField)
	if guest < boot {
		s.refusef(guestField, m.Guest, "want at least what the guest booted with, %s", status.GuestAtBoot)
	}
	if limit < guest {
		s.refusef(maxField, m.MaxGuest, "want at least memory.guest, %s", m.Guest)
	}
	block := uint64(memoryBlock)
	if m.Hugepages != nil && m.Hugepages.PageSize == "1Gi" {
		block = hugeMemoryBlock
	}
	if (guest-boot)%block != 0 || (limit-boot)%block != 0 {
		s.refusef(guestField, m.Guest, "memory is added in blocks of %d bytes, want whole blocks more than %s, and a maxGuest as well",
			block, status.GuestAtBoot)
	}
	return &libvirtxml.DomainMemorydev{Model: "virtio-mem", Target: &libvirtxml.DomainMemorydevTarget{
		Size:      &libvirtxml.DomainMemorydevTargetSize{Value: uint(limit - boot), Unit: "b"},
		Node:      &libvirtxml.DomainMemorydevTargetNode{},
		Block:     &libvirtxml.DomainMemorydevTargetBlock{Value: uint(block), Unit: "b"},
		Requested: &libvirtxml.DomainMemorydevTargetRequested{Value: uint(guest - boot), Unit: "b"},
	}}
}
