# Tells what devices the guest sees besides disks, a fact a line: "KEY WORDS".
value() { cat "$1" 2>/dev/null; }
driver() { link=$(readlink "$1/driver") && echo "${link##*/}"; }

# There is no AHCI driver in this kernel. Each port of the controller that has a drive tells of which kind, by its
# signature register: 0x00000101 a disk, 0xEB140101 a CD-ROM.
for pci in /sys/bus/pci/devices/*; do
	echo "pci.$(value "$pci/vendor"):$(value "$pci/device") $(value "$pci/class")"
	[ "$(value "$pci/class")" = 0x010601 ] || continue
	base=$(sed -n '6s/ .*//p' "$pci/resource")
	for port in 0 1 2 3 4 5; do
		at=$((base + 0x100 + port * 0x80))
		[ $(($(devmem $((at + 0x28))) & 15)) = 3 ] && echo "sata.$port $(devmem $((at + 0x24)))"
	done
done
for nic in /sys/class/net/*; do
	[ -e "$nic/device" ] && echo "nic.${nic##*/} mac=$(value "$nic/address") mtu=$(value "$nic/mtu")"
done
for port in /sys/class/virtio-ports/*; do
	[ -e "$port/name" ] && echo "port.$(value "$port/name") there"
done
for device in /sys/bus/virtio/devices/*; do echo "virtio.$(driver "$device") there"; done
for device in /sys/bus/acpi/devices/*; do
	case $device in *QEMU0001*) echo "acpi.QEMU0001 there" ;; esac
done
for input in /sys/class/input/input*; do
	[ -e "$input/name" ] && echo "input.$(value "$input/name" | tr ' ' '-') there"
done
if [ -e /dev/hwrng ]; then
	echo "rng $(value /sys/class/misc/hw_random/rng_current | sed 's/\..*//') $(head -c 16 /dev/hwrng | wc -c)"
fi
if [ -e /sys/class/tpm/tpm0 ]; then
	echo "tpm version=$(value /sys/class/tpm/tpm0/tpm_version_major) driver=$(driver /sys/class/tpm/tpm0/device)" \
		"pcr=$(value /sys/class/tpm/tpm0/pcr-sha256/10 | tr -d '\n' | wc -c)"
fi
for name in product_uuid product_serial product_name sys_vendor chassis_vendor chassis_serial; do
	echo "smbios.$name $(value /sys/class/dmi/id/$name)"
done
echo "cpus online=$(nproc) possible=$(value /sys/devices/system/cpu/possible)"
echo "memory $(sed -n 's/MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)"
echo "firmware $(if [ -d /sys/firmware/efi ]; then echo "efi $(value /sys/firmware/efi/fw_platform_size)"; else echo bios; fi)"
echo "cmdline $(value /proc/cmdline)"
