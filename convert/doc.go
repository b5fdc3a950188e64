// Package convert turns a VirtualMachineInstance and the facts about where it
// runs into the domain that libvirt boots, and says of every value why it is what
// it is.
//
// Data flows one way:
//
//	VMI ──defaults──▶ defaulted copy ──steps──▶ domain ──▶ XML
//	                        ▲                     │
//	                     Context               causes (Explain)
//
// Conversion is a function: it opens nothing, asks nobody, and never writes to
// the VMI or the Context it is given. The same input gives the same bytes. What
// depends on a disk, a device or a daemon comes in as a fact of the Context; a
// fact that is not given changes nothing, and Explain lists it as assumed or
// unknown. Probes tells somebody with access to the volumes where to look.
//
// A VMI that cannot be a domain is refused with all reasons at once, each a
// *FieldError. What only KubeVirt's admission would refuse is converted;
// Admission lists it. Obstacles lists what would keep the guest from being
// migrated, which is no reason to refuse it either.
//
// The steps stand in order in convert.go, one small file for each piece of
// hardware. A step reads the defaulted VMI and the Context, writes its part of
// the domain, and notes the causes of what it writes beside it.
//
// Comments such as "storage.md 5.1" name the section of the behaviour specification
// that a rule is taken from: what KubeVirt v1.9.0 does, by subject.
//
// # Where this differs from KubeVirt
//
// The result is KubeVirt's, in libvirt's own spelling (elements and attributes
// that libvirt's schema does not know, or that are empty, are not written). The
// deviations from what KubeVirt v1.9.0 does are deliberate; each is explained
// beside its code and has a test:
//
//   - a firmware UUID that nobody names is derived from namespace and name, not
//     drawn at random (defaults.go);
//   - a VMI that was created before is not prepared anew for CPUs and memory to be
//     plugged in (defaults_resources.go);
//   - a namespace that is missing is "default" (defaults.go);
//   - fractional quantities are exact to the byte (memory.go);
//   - host CPUs with as many threads as the guest's cores need are wanted for all
//     of them; a shortfall is refused (cpupool.go);
//   - ranges of sibling CPUs are read (hostcpus.go);
//   - a device that is requested as host device and as GPU is handed out once
//     (hostdevices.go);
//   - a USB CD-ROM or LUN brings a USB controller as a disk does, and s390x, which
//     has none, refuses USB disks (controllers.go);
//   - an interface that nothing attaches is refused instead of written without a
//     type (interface.go);
//   - a boot order, PCI address or ACPI index that two devices of the domain share is
//     refused (conflicts.go);
//   - a LUN on an image file, which libvirt does not start, is refused (volume.go);
//   - an empty disk without a capacity of at least 1 MiB is refused, as the pod could
//     not make it (disksize.go);
//   - a disk that is not in the domain cannot make the conversion fail by its block
//     sizes, nor by its pinned name (blockio.go, target.go);
//   - the name of a hotplugged disk that has left the VMI stays taken (target.go);
//   - a memory dump gets no disk (defaults_devices.go);
//   - devices below the root complex keep off the slots that others ask for
//     (rootcomplex.go);
//   - a resource whose addresses are of two kinds is refused (hostdevices.go);
//   - an architecture of the node that is none of the three is refused (convert.go);
//   - the settings of a passt interface that KubeVirt passes over, such as its
//     boot order, are written (passt.go);
//   - a clock without an offset is written as one in UTC, which is what libvirt makes
//     of it and what its schema wants (clock.go);
//   - what libvirt could not read, or would read as something else, is refused:
//     characters that XML does not have, names that are no path component, values
//     outside libvirt's enumerations (text.go, identity.go, and beside each field).
//
// libvirtxml writes the QEMU command line without its usual prefix, and
// measurements of TDX that nobody stated; Result.XML mends both.
package convert
