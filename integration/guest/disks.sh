# Tells what disks and CD-ROMs the guest sees, a fact a line: "KEY WORDS".
value() { cat "$1" 2>/dev/null; }

for disk in /sys/block/*; do
	name=${disk##*/}
	case $name in loop* | ram* | sr*) continue ;; esac
	serial=$(value "$disk/serial")
	# A SCSI disk's serial number is in page 0x80 of its vital product data, behind four bytes.
	[ -e "$disk/device/vpd_pg80" ] && serial=$(dd if="$disk/device/vpd_pg80" bs=1 skip=4 2>/dev/null | tr -d '\000')
	echo "disk.$name bytes=$(($(value "$disk/size") * 512)) ro=$(value "$disk/ro")" \
		"block=$(value "$disk/queue/logical_block_size") serial=$serial"
	echo "begin.$name $(dd if="/dev/$name" bs=4096 count=1 2>/dev/null | tr -d '\000' | head -n 1)"
done
# The kernel numbers CD-ROMs as it finds them. Which is which tells the LUN, that is the place of the target's letter.
for drive in /sys/block/sr*; do
	[ -e "$drive" ] || continue
	lun=$(readlink "$drive/device")
	if mount -t iso9660 -o ro "/dev/${drive##*/}" /mnt 2>/dev/null; then
		for file in /mnt/*; do echo "lun.${lun##*:}.${file##*/} $(value "$file" | head -n 1)"; done
		umount /mnt
	else
		echo "lun.${lun##*:} no medium"
	fi
done
