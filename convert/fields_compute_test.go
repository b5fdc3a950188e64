package convert

var _ = addFields(map[string]fate{
	"spec.startStrategy": handled,

	"spec.domain.cpu.sockets":                      handled,
	"spec.domain.cpu.maxSockets":                   handled,
	"spec.domain.cpu.cores":                        handled,
	"spec.domain.cpu.threads":                      handled,
	"spec.domain.cpu.model":                        handled,
	"spec.domain.cpu.features":                     handled,
	"spec.domain.cpu.dedicatedCpuPlacement":        handled,
	"spec.domain.cpu.isolateEmulatorThread":        handled,
	"spec.domain.cpu.numa.guestMappingPassthrough": handled,
	"spec.domain.cpu.realtime":                     handled,
	"spec.domain.cpu.realtime.mask":                irrelevant("the node agent sets the scheduler of the running threads"),

	"spec.domain.memory.guest":            handled,
	"spec.domain.memory.maxGuest":         handled,
	"spec.domain.memory.hugepages":        handled,
	"spec.domain.memory.reservedOverhead": irrelevant("limits of the pod and of the QEMU process, set from outside"),

	"spec.domain.firmware.uuid":                                 handled,
	"spec.domain.firmware.serial":                               handled,
	"spec.domain.firmware.bootloader.bios.useSerial":            handled,
	"spec.domain.firmware.bootloader.efi":                       handled,
	"spec.domain.firmware.bootloader.efi.secureBoot":            irrelevant("which build of the firmware is looked for, see EFIFirmware; the one found is a fact"),
	"spec.domain.firmware.bootloader.efi.persistent":            irrelevant("whether the pod keeps the file of EFI variables; its path stays"),
	"spec.domain.firmware.kernelBoot":                           handled,
	"spec.domain.firmware.kernelBoot.container.image":           irrelevant("the pod's business"),
	"spec.domain.firmware.kernelBoot.container.imagePullSecret": irrelevant("the pod's business"),
	"spec.domain.firmware.kernelBoot.container.imagePullPolicy": irrelevant("the pod's business"),
	"spec.domain.firmware.acpi":                                 handled,

	"spec.domain.chassis": handled,
	"spec.domain.clock":   handled,

	"spec.domain.features":                     handled,
	"spec.domain.features.apic.endOfInterrupt": irrelevant("upstream does not pass it on either"),

	"spec.domain.launchSecurity.sev.policy":      handled,
	"spec.domain.launchSecurity.sev.attestation": irrelevant("delays the start until session and certificate are there"),
	"spec.domain.launchSecurity.sev.session":     handled,
	"spec.domain.launchSecurity.sev.dhCert":      handled,
	"spec.domain.launchSecurity.snp":             handled,
	"spec.domain.launchSecurity.tdx":             handled,
})
