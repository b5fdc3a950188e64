package convert

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFirmware(t *testing.T) {
	const (
		q35    = "type/@arch=x86_64 type/@machine=q35 type=hvm "
		smbios = " smbios/@mode=sysinfo"
		build  = "firmware: {code: /fw/code.fd, vars: /fw/vars.fd}"
		efi    = "firmware: {bootloader: {efi: {secureBoot: false}}}"
		loader = "loader/@readonly=yes loader/@secure=no loader/@type=pflash loader=/fw/code.fd "
		flash  = q35 + loader + "nvram/@template=/fw/vars.fd nvram="
		rom    = q35 + "loader/@readonly=yes loader/@secure=no loader/@type=rom loader=/fw/code.fd" + smbios
		root   = "/var/lib/libvirt/qemu/nvram/vm-a_VARS.fd"
		user   = "/var/run/kubevirt-private/libvirt/qemu/nvram/vm-a_VARS.fd"
	)
	runComputeRows(t, "os", []computeRow{
		{"rebootPolicy: Reboot", "", q35 + smbios, "a BIOS, which needs no element"},
		{"rebootPolicy: Reboot", "node: {architecture: s390x}", "type/@arch=s390x type/@machine=s390-ccw-virtio type=hvm", "no SMBIOS on s390x"},
		{"firmware: {bootloader: {bios: {useSerial: true}}}", "", q35 + "bios/@useserial=yes" + smbios, "the BIOS on the serial console"},
		{"firmware: {bootloader: {bios: {useSerial: false}}}", "", q35 + smbios, "no console needs no element"},
		{efi, build, flash + root + smbios, "EFI with variables"},
		{efi + "\n---\nstatus: {runtimeUser: 107}", build, flash + user + smbios, "an ordinary user has another place for them"},
		{efi + "\n---\n" + annotated("kubevirt.io/nonroot", ""), build, flash + user + smbios, "which the annotation of old says as well"},
		{efi, "firmware: {code: /fw/code.fd}", q35 + loader + "nvram=" + root + smbios, "no template is stated"},
		{efi, "", q35 + smbios, "no build is known, which is no error"},
		{"rebootPolicy: Reboot", build, q35 + smbios, "a build that nobody asks for"},
		{"firmware: {bootloader: {efi: {}}}", "firmware: {code: /fw/code.fd, secureLoader: true}",
			q35 + "loader/@readonly=yes loader/@secure=yes loader/@type=pflash loader=/fw/code.fd nvram=" + root + smbios, "secure boot, as the build has it"},
		{efi + "\n    launchSecurity: {sev: {}}", build, flash + root + smbios, "SEV keeps variables"},
		{efi + "\n    launchSecurity: {snp: {}}", build, rom, "SEV-SNP keeps none"},
		{efi + "\n    launchSecurity: {tdx: {}}", build, rom, "nor does TDX"},
		{"firmware: {bootloader: {efi: {persistent: true, secureBoot: false}}}", build, flash + root + smbios, "to keep variables changes no path"},
		{"firmware: {bootloader: {efi: {}}}", "firmware: {autoSelect: true}",
			"@firmware=efi type/@arch=x86_64 type/@machine=q35 type=hvm firmware/feature/@enabled=yes firmware/feature/@name=secure-boot firmware/feature[2]/@enabled=yes firmware/feature[2]/@name=enrolled-keys nvram/@format=raw nvram=" + root + smbios,
			"libvirt chooses the build"},
		{"firmware: {bootloader: {efi: {}}}", "{node: {architecture: arm64}, firmware: {autoSelect: true}}",
			"@firmware=efi type/@arch=aarch64 type/@machine=virt type=hvm firmware/feature/@enabled=yes firmware/feature/@name=secure-boot firmware/feature[2]/@enabled=yes firmware/feature[2]/@name=enrolled-keys" + smbios,
			"and on arm64 also where variables lie"},
		{"firmware: {kernelBoot: {kernelArgs: console=ttyS0, container: {image: img, kernelPath: /boot/vmlinuz, initrdPath: /boot/sub/initrd}}}", "",
			q35 + "kernel=/var/run/kubevirt/container-disks/kernel-boot/vmlinuz initrd=/var/run/kubevirt/container-disks/kernel-boot/initrd cmdline=console=ttyS0" + smbios,
			"files of the boot container under their base names"},
		{"firmware: {kernelBoot: {container: {image: img, initrdPath: /initrd}}}", "",
			q35 + "initrd=/var/run/kubevirt/container-disks/kernel-boot/initrd" + smbios, "an initrd alone"},
		{"firmware: {kernelBoot: {kernelArgs: quiet}}", "", q35 + "cmdline=quiet" + smbios, "arguments without a container"},
		{"firmware: {acpi: {msdmNameRef: key, slicNameRef: lic}}\n---\nspec:\n  volumes: [{name: key, secret: {secretName: k}}, {name: lic, secret: {secretName: l}}]", "",
			q35 + "acpi/table/@type=slic acpi/table=/var/run/kubevirt-private/secret/lic/slic.bin acpi/table[2]/@type=msdm acpi/table[2]=/var/run/kubevirt-private/secret/key/msdm.bin" + smbios,
			"both tables, SLIC first"},
		{"rebootPolicy: Reboot\n---\nspec:\n  startStrategy: Paused", "", q35 + "bootmenu/@enable=yes bootmenu/@timeout=10000" + smbios, "a paused start leaves time for the menu"},
	})
}

func TestFirmwareRefusals(t *testing.T) {
	runRefusals(t, []computeRow{
		{"firmware: {bootloader: {efi: {}}}\n    launchSecurity: {snp: {}}", "firmware: {vars: /x}",
			"spec.domain.firmware.bootloader.efi: no suitable EFI firmware is installed with secure boot for SEV-SNP, want a build for it in context.firmware.code", "a node without the build"},
		{"firmware: {bootloader: {efi: {secureBoot: false}}}", "firmware: {code: code.fd, vars: vars.fd}",
			`context.firmware.code: "code.fd": want an absolute path
context.firmware.vars: "vars.fd": want an absolute path`, "paths that start nowhere"},
		{"firmware: {kernelBoot: {container: {image: img, kernelPath: /boot/.., initrdPath: /}}}", "",
			`spec.domain.firmware.kernelBoot.container.kernelPath: "/boot/..": want the path of a file in the boot container
spec.domain.firmware.kernelBoot.container.initrdPath: "/": want the path of a file in the boot container`, "paths that lead out of the container"},
		{"firmware: {acpi: {}}", "", "spec.domain.firmware.acpi: want at least one table, slicNameRef or msdmNameRef", "no table"},
		{"firmware: {acpi: {slicNameRef: gone, msdmNameRef: pvc}}\n---\nspec:\n  volumes: [{name: pvc, persistentVolumeClaim: {claimName: c}}]", "",
			`spec.domain.firmware.acpi.slicNameRef: "gone": the volume of the slic table does not exist, want the name of a secret volume of the VMI
spec.domain.firmware.acpi.msdmNameRef: "pvc": only a secret volume can hold the msdm table`, "two tables, two obstacles"},
		{"firmware: {uuid: vm-a}", "", `spec.domain.firmware.uuid: "vm-a": want a UUID`, "libvirt takes the domain's UUID from it"},
	})
}

func TestFirmwareErrorIsTyped(t *testing.T) {
	row := computeRow{domain: "firmware: {bootloader: {efi: {}}}", context: "firmware: {}"}
	s := testState(t, row.vmi(), row.context)
	_, err := VMI(s.vmi, *s.ctx)
	var missing *FirmwareError
	if !errors.As(err, &missing) {
		t.Fatalf("error %v, want a *FirmwareError", err)
	}
	var one *FieldError
	if !errors.As(err, &one) || one.Field != "spec.domain.firmware.bootloader.efi" {
		t.Errorf("error %v, want a *FieldError of the boot loader as well", err)
	}
}

func TestEFIFirmware(t *testing.T) {
	const dir = "/usr/share/edk2/ovmf"
	tests := []struct {
		domain, arch string
		auto         bool
		want         []FirmwareFacts
		missing      bool
		reason       string
	}{
		{"rebootPolicy: Reboot", "amd64", true, nil, false, "no EFI, no firmware"},
		{"firmware: {bootloader: {efi: {}}}", "amd64", false,
			[]FirmwareFacts{{Code: dir + "/OVMF_CODE.secboot.fd", Vars: dir + "/OVMF_VARS.secboot.fd", SecureLoader: true}}, false, "secure boot unless said otherwise"},
		{"firmware: {bootloader: {efi: {}}}", "amd64", true, []FirmwareFacts{{AutoSelect: true}}, false, "which libvirt may choose"},
		{"firmware: {bootloader: {efi: {secureBoot: false}}}", "amd64", true,
			[]FirmwareFacts{{Code: dir + "/OVMF_CODE.secboot.fd", Vars: dir + "/OVMF_VARS.fd"}, {Code: dir + "/OVMF_CODE.fd", Vars: dir + "/OVMF_VARS.fd"}}, false,
			"a build that knows secure boot starts others too"},
		{"firmware: {bootloader: {efi: {}}}", "arm64", false, []FirmwareFacts{{Code: dir + "/AAVMF_CODE.fd", Vars: dir + "/AAVMF_VARS.fd"}}, false, "on arm64 defaulting switches secure boot off"},
		{"firmware: {bootloader: {efi: {secureBoot: true}}}", "arm64", false, nil, true, "for which there is no build"},
		{"firmware: {bootloader: {efi: {secureBoot: false}}}", "s390x", false, nil, true, "s390x has none at all"},
		{"firmware: {bootloader: {efi: {secureBoot: false}}}\n    launchSecurity: {sev: {}}", "amd64", false,
			[]FirmwareFacts{{Code: dir + "/OVMF_CODE.cc.fd", Vars: dir + "/OVMF_VARS.fd"}}, false, "SEV"},
		{"firmware: {bootloader: {efi: {}}}\n    launchSecurity: {sev: {}}", "amd64", true, nil, true, "SEV never with secure boot"},
		{"firmware: {bootloader: {efi: {secureBoot: false}}}\n    launchSecurity: {snp: {}}", "amd64", false, []FirmwareFacts{{Code: dir + "/OVMF.amdsev.fd"}}, false, "SEV-SNP keeps no variables"},
		{"firmware: {bootloader: {efi: {}}}\n    launchSecurity: {tdx: {}}", "amd64", true, []FirmwareFacts{{Code: dir + "/OVMF.inteltdx.secboot.fd"}}, false,
			"TDX with secure boot needs no secure loader"},
		{"firmware: {bootloader: {efi: {secureBoot: false}}}\n    launchSecurity: {tdx: {}}", "amd64", false, []FirmwareFacts{{Code: dir + "/OVMF.inteltdx.fd"}}, false, "TDX"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s := testState(t, computeRow{domain: tt.domain}.vmi(), "node: {architecture: "+tt.arch+"}")
			got, err := EFIFirmware(s.vmi, dir, tt.auto)
			var missing *FirmwareError
			if errors.As(err, &missing) != tt.missing {
				t.Errorf("error %v, want one: %v", err, tt.missing)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("firmware (-want +got):\n%s", diff)
			}
		})
	}
}
