package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAdmissionOfCompute: what admission would refuse is told, and converted all the same.
func TestAdmissionOfCompute(t *testing.T) {
	const (
		efi  = "firmware: {bootloader: {efi: {secureBoot: false}}}"
		tdx  = "cluster: {developerConfiguration: {featureGates: [WorkloadEncryptionTDX]}}"
		host = "{node: {cpuSet: 0-15, numa: [{cpus: 0-15}]}, cluster: {vmRolloutStrategy: Stage}}"
	)
	rows := []computeRow{
		{"cpu: {}", "", "", "nothing to say"},
		{"machine: {type: pc-q35-9.0}", "", "", "a versioned machine"},
		{"machine: {type: microvm}", "", `spec.domain.machine.type: "microvm": the cluster does not offer this machine, want q35* or pc-q35*`, "another machine"},
		{"machine: {type: microvm}", "cluster: {emulatedMachines: [micro*]}", "", "unless the cluster offers it"},
		{"machine: {type: virt-9}", "{node: {architecture: arm64}, cluster: {architectureConfiguration: {arm64: {emulatedMachines: [virt-8]}}}}",
			`spec.domain.machine.type: "virt-9": the cluster does not offer this machine, want virt-8`, "each architecture has its own"},
		{"rebootPolicy: Terminate", "cluster: {developerConfiguration: {disabledFeatureGates: [RebootPolicy]}}",
			"spec.domain.rebootPolicy: feature gate RebootPolicy is off, want context.cluster.developerConfiguration.disabledFeatureGates without RebootPolicy", "a gate switched off"},
		{"cpu: {}\n---\nspec:\n  startStrategy: Stopped", "", `spec.startStrategy: "Stopped": want Paused or none`, "an unknown way to start"},
		{"cpu: {}\n---\nspec:\n  startStrategy: Paused\n  livenessProbe: {}", "",
			`spec.startStrategy: "Paused": a guest that starts paused would fail its liveness probe, want one of them`, "paused and watched"},
		{"memory: {guest: 1Gi}\n    resources: {requests: {memory: 2k, cpu: -1}, limits: {memory: 1k, cpu: -2}}", "", `spec.domain.resources.requests.cpu: "-1": want no negative request
spec.domain.resources.limits.cpu: "-2": want no negative limit
spec.domain.resources.requests.memory: "2k": want no more than the limit, 1k
spec.domain.resources.requests.memory: "2k": want at least 1M`, "requests and limits"},
		{"memory: {}", "", "spec.domain.memory.guest: want memory: memory.guest, a request or limit, or huge pages", "no memory"},
		{"memory: {guest: 2Gi}\n    resources: {limits: {memory: 1Gi}}", "cluster: {vmRolloutStrategy: Stage}",
			`spec.domain.memory.guest: "2Gi": want no more than the limit, 1Gi`, "more than the limit"},
		{"memory: {guest: 2Gi}\n    resources: {limits: {memory: 1Gi}}", "", "", "which live updates do not mind"},
		{"memory: {guest: 3Mi, hugepages: {pageSize: 2Mi}}", "", `spec.domain.memory.hugepages.pageSize: "2Mi": want a page size that memory, 3Mi, is a multiple of`, "half a page"},
		{"memory: {guest: 3Mi, hugepages: {pageSize: big}}", "", `spec.domain.memory.hugepages.pageSize: "big": want the size of a huge page, such as 2Mi or 1Gi`, "no size"},
		{"memory: {guest: 1Gi, reservedOverhead: {memLock: Required}}", "",
			"spec.domain.memory.reservedOverhead: feature gate ReservedOverheadMemlock is off, want context.cluster.developerConfiguration.featureGates ReservedOverheadMemlock", "a gate not switched on"},
		{"cpu: {sockets: 4, maxSockets: 2}", "", `spec.domain.cpu.sockets: "4": want no more than maxSockets`, "more sockets than may be"},
		{"cpu: {model: max}", "node: {architecture: arm64}", `spec.domain.cpu.model: "max": arm64 guests see the host's CPU, want host-passthrough`, "a named model on arm64"},
		{"cpu: {isolateEmulatorThread: true, realtime: {}, numa: {guestMappingPassthrough: {}}}", "", `spec.domain.cpu.isolateEmulatorThread: "true": want dedicatedCpuPlacement as well
spec.domain.cpu.numa.guestMappingPassthrough: want dedicatedCpuPlacement as well
spec.domain.cpu.realtime: want dedicatedCpuPlacement as well
spec.domain.cpu.numa.guestMappingPassthrough: want huge pages as well`, "what needs dedicated CPUs"},
		{"cpu: {dedicatedCpuPlacement: true, cores: 1, threads: 4, realtime: {}}\n    resources: {requests: {cpu: 1500m, memory: 1Gi}, limits: {cpu: 2, memory: 2Gi}}", host,
			`spec.domain.resources.requests.cpu: "1500m": dedicated CPUs come whole, want an integer
spec.domain.resources.requests.cpu: "1500m": dedicated CPUs want the limit to be the same, 2
spec.domain.cpu: "4": want as many CPUs as the pod requests or is limited to
spec.domain.resources.requests.memory: "1Gi": dedicated CPUs want the limit to be the same, 2Gi
spec.domain.cpu.threads: "4": want at most 2 with dedicated CPUs
spec.domain.cpu.realtime: want numa.guestMappingPassthrough as well`, "dedicated CPUs that do not add up"},
		{"firmware: {bootloader: {efi: {}, bios: {}}}", "", `spec.domain.firmware.bootloader: want either EFI or BIOS
spec.domain.firmware.bootloader.efi.secureBoot: secure boot needs features.smm, want that enabled or secureBoot off`, "EFI and BIOS"},
		{"firmware: {bootloader: {bios: {}}}", "node: {architecture: arm64}", "spec.domain.firmware.bootloader.bios: there is no BIOS on arm64, want EFI", "no BIOS there"},
		{"firmware: {kernelBoot: {kernelArgs: quiet}}", "", `spec.domain.firmware.kernelBoot.kernelArgs: "quiet": want a container with a kernel as well`, "arguments for nothing"},
		{"firmware: {kernelBoot: {container: {image: '', kernelPath: boot/a, initrdPath: /boot//b}}}", "", `spec.domain.firmware.kernelBoot.container.image: want an image
spec.domain.firmware.kernelBoot.container.kernelPath: "boot/a": want the absolute path of a file, without .., . or // in it
spec.domain.firmware.kernelBoot.container.initrdPath: "/boot//b": want the absolute path of a file, without .., . or // in it`, "paths that are none"},
		{"firmware: {kernelBoot: {container: {image: i}}}", "", "spec.domain.firmware.kernelBoot.container: want kernelPath, initrdPath or both", "a container for nothing"},
		{"launchSecurity: {sev: {attestation: {}}}", "", `spec.domain.launchSecurity.sev.attestation: want startStrategy Paused, so that the guest can be attested before it starts
spec.domain.firmware.bootloader.efi: launch security needs EFI`, "SEV with a BIOS"},
		{"launchSecurity: {}\n    " + efi, "", "spec.domain.launchSecurity: want just one of sev, snp and tdx", "none of them"},
		{"launchSecurity: {}", "node: {architecture: s390x}", "", "which is right on s390x"},
		{"launchSecurity: {sev: {}}", "node: {architecture: arm64}", "spec.domain.launchSecurity: there is none on arm64, want amd64 or s390x", "and on no other"},
		{"launchSecurity: {snp: {}}\n    firmware: {bootloader: {efi: {persistent: true}}}\n    features: {smm: {}}", "", `spec.domain.firmware.bootloader.efi.secureBoot: SEV has no secure boot, want false
spec.domain.firmware.bootloader.efi.persistent: "true": SEV-SNP and TDX keep no EFI variables, want false`, "firmware that does not go with it"},
		{"launchSecurity: {tdx: {}}\n    features: {smm: {}}\n    " + efi, tdx, "spec.domain.features.smm: TDX has no system management mode, want it off", "TDX without SMM"},
		{"launchSecurity: {tdx: {}}\n    firmware: {bootloader: {efi: {}}}", tdx, "", "but with secure boot"},
		{"launchSecurity: {tdx: {}}\n    " + efi, "",
			"spec.domain.launchSecurity.tdx: feature gate WorkloadEncryptionTDX is off, want context.cluster.developerConfiguration.featureGates WorkloadEncryptionTDX", "and with its gate"},
		{"features: {hypervPassthrough: {enabled: true}, hyperv: {synictimer: {}, evmcs: {}, vpindex: {enabled: false}, spinlocks: {}}}", "", `spec.domain.features.hypervPassthrough: want either named enlightenments or all of the host's
spec.domain.features.hyperv.vpindex: "false": the enlightenment synic needs it, want both on or both off
spec.domain.features.hyperv.evmcs: "true": want the CPU feature vmx with policy require as well`, "enlightenments that need each other"},
	}
	for _, row := range rows {
		t.Run(row.reason, func(t *testing.T) {
			s := testState(t, row.vmi(), row.context)
			var got []string
			for _, e := range Admission(s.vmi, *s.ctx) {
				got = append(got, e.Error())
			}
			if diff := cmp.Diff(row.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("remarks on %s (-want +got):\n%s", row.domain, diff)
			}
		})
	}
}
