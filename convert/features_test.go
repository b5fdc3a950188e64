package convert

import "testing"

func TestFeatures(t *testing.T) {
	const pc = " vmport/@state=off"
	runComputeRows(t, "features", []computeRow{
		{"rebootPolicy: Reboot", "", "acpi=" + pc, "ACPI, and no VMware port"},
		{"rebootPolicy: Reboot", "node: {architecture: arm64}", "acpi=", "there is no VMware port on arm64"},
		{"rebootPolicy: Reboot", "node: {architecture: s390x}", "=", "nothing on s390x"},
		{"features: {acpi: {enabled: true}}", "node: {architecture: s390x}", "acpi=", "where ACPI can be forced"},
		{"features: {acpi: {enabled: false}, apic: {}, smm: {enabled: true}, pvspinlock: {}}", "", "apic= pvspinlock/@state=on" + pc + " smm=", "what is named is on"},
		{"features: {apic: {enabled: false}, smm: {enabled: false}, pvspinlock: {enabled: false}}", "", "acpi= pvspinlock/@state=off" + pc, "unless it says no"},
		{"features: {apic: {endOfInterrupt: true}}", "", "acpi= apic=" + pc, "the end of interrupts is not passed on, as upstream does not"},
		{"features: {kvm: {hidden: true}}", "", "acpi= kvm/hidden/@state=on" + pc, "KVM hidden"},
		{"features: {kvm: {}}", "", "acpi= kvm/hidden/@state=off" + pc, "KVM shown"},
		{"launchSecurity: {tdx: {}}", "", "acpi= pmu/@state=off" + pc, "no performance counters under TDX"},
	})
}

func TestHyperV(t *testing.T) {
	runComputeRows(t, "features/hyperv", []computeRow{
		{"features: {}", "", "", "no Hyper-V without being asked for"},
		{"features: {hyperv: {}}", "", "=", "asked for, but nothing of it"},
		{"features: {hypervPassthrough: {enabled: true}}", "", "@mode=passthrough", "all that the host has"},
		{"features: {hypervPassthrough: {}}", "", "", "only if it says so"},
		{"features: {hyperv: {runtime: {}}, hypervPassthrough: {enabled: true}}", "", "runtime/@state=on", "named enlightenments go before the host's"},
		{"features: {hyperv: {spinlocks: {}, vendorid: {vendorid: acme}, relaxed: {enabled: false}}}", "",
			"relaxed/@state=off spinlocks/@state=on spinlocks/@retries=4096 vendor_id/@state=on vendor_id/@value=acme", "details, and their defaults"},
		{"features: {hyperv: {spinlocks: {enabled: false}, vendorid: {}}}", "",
			"spinlocks/@state=off vendor_id/@state=on", "what is not given is not there"},
		{"features: {hyperv: {synictimer: {direct: {enabled: false}}, tlbflush: {direct: {}, extended: {}}}}", "", `vpindex/@state=on synic/@state=on
			stimer/@state=on stimer/direct/@state=off tlbflush/@state=on tlbflush/direct/@state=on tlbflush/extended/@state=on`, "parts, and what others need"},
		{"features: {hyperv: {evmcs: {}, ipi: {}, reset: {}, frequencies: {}, reenlightenment: {}}}", "",
			"vapic/@state=on vpindex/@state=on reset/@state=on frequencies/@state=on reenlightenment/@state=on ipi/@state=on evmcs/@state=on", "what eVMCS and IPIs need"},
	})
	runComputeRows(t, "cpu/feature", []computeRow{
		{"features: {hyperv: {evmcs: {}}}", "", "@policy=require @name=vmx", "eVMCS needs VMX"},
	})
	const want = ": want a vendor name of at most 12 characters without a comma"
	runRefusals(t, []computeRow{
		{"features: {hyperv: {vendorid: {vendorid: 'a,b'}}}", "", `spec.domain.features.hyperv.vendorid.vendorid: "a,b"` + want, "QEMU cannot take a comma"},
		{"features: {hyperv: {vendorid: {vendorid: thirteenchars}}}", "", `spec.domain.features.hyperv.vendorid.vendorid: "thirteenchars"` + want, "nor the guest more than twelve"},
	})
}
