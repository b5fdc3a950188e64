package convert

import "testing"

func TestLaunchSecurity(t *testing.T) {
	runComputeRows(t, "launchSecurity", []computeRow{
		{"rebootPolicy: Reboot", "", "", "an ordinary guest"},
		{"launchSecurity: {}", "", "", "an empty one means nothing on amd64"},
		{"launchSecurity: {sev: {}}", "", "@type=sev policy=0x0001", "SEV without debugging"},
		{"launchSecurity: {sev: {policy: {encryptedState: true}, session: U2Vzc2lvbg==, dhCert: Q2VydA==}}", "",
			"@type=sev policy=0x0005 dhCert=Q2VydA== session=U2Vzc2lvbg==", "SEV-ES with the owner's session"},
		{"launchSecurity: {sev: {policy: {encryptedState: false}}}", "", "@type=sev policy=0x0001", "no encrypted registers"},
		{"launchSecurity: {snp: {}}", "", "@type=sev-snp policy=0x00030000", "SEV-SNP with multithreading"},
		{"launchSecurity: {sev: {}, snp: {}}", "", "@type=sev policy=0x0001", "SEV goes before SEV-SNP, as upstream has it"},
		{"launchSecurity: {tdx: {}}", "", "@type=tdx quoteGenerationService=", "TDX, its socket unknown"},
		{"launchSecurity: {tdx: {}}\n---\n" + annotated(qgsSocketAnnotation, "/run/qgs.socket"), "",
			"@type=tdx quoteGenerationService/@path=/run/qgs.socket", "TDX with a socket"},
		{"launchSecurity: {}", "node: {architecture: s390x}", "", "Secure Execution has no element"},
		{"launchSecurity: {sev: {}}", "node: {architecture: arm64}", "", "nor has anything on arm64"},
	})
	runComputeRows(t, "devices/memballoon", []computeRow{
		{"launchSecurity: {}", "node: {architecture: s390x}", "@model=virtio @freePageReporting=on driver/@iommu=on", "Secure Execution shows in the virtio devices"},
	})
}

func TestRebootPolicy(t *testing.T) {
	runComputeRows(t, "on_reboot", []computeRow{
		{"cpu: {}", "", "", "libvirt's own way"},
		{"rebootPolicy: Terminate", "", "=destroy", "the VMI ends"},
		{"rebootPolicy: Reboot", "", "=restart", "the guest restarts"},
		{"rebootPolicy: Sometimes", "", "", "an unknown policy means none"},
	})
}

func TestHypervisorType(t *testing.T) {
	const emulation = "cluster: {developerConfiguration: {useEmulation: true}}"
	runComputeRows(t, "@type", []computeRow{
		{"cpu: {}", "", "=kvm", "KVM unless something else is known"},
		{"cpu: {}", emulation, "=kvm", "emulation is for nodes without KVM"},
		{"cpu: {}", "{node: {kvm: false}, " + emulation + "}", "=qemu", "such as this"},
		{"cpu: {}", "hypervisor: hyperv-direct", "=hyperv", "Hyper-V's own device"},
		{"cpu: {}", "{hypervisor: hyperv-direct, node: {kvm: false}, " + emulation + "}", "=qemu", "emulation instead of that"},
	})
	runRefusals(t, []computeRow{
		{"cpu: {}", "node: {kvm: false}", `context.node.kvm: "false": /dev/kvm is missing on the node and the cluster does not allow software emulation (cluster.developerConfiguration.useEmulation)`, "neither KVM nor emulation"},
		{"cpu: {}", "{hypervisor: hyperv-direct, node: {kvm: false}}", `context.node.kvm: "false": /dev/mshv is missing on the node and the cluster does not allow software emulation (cluster.developerConfiguration.useEmulation)`, "nor Hyper-V's device"},
		{"cpu: {}", "hypervisor: xen", `context.hypervisor: "xen": want kvm or hyperv-direct`, "an unknown hypervisor"},
	})
}
