#!/bin/busybox sh
# The guest's first process: loads modules, runs /script in the background, then answers commands on the serial port.
/bin/busybox mkdir -p /proc /sys /dev /tmp /mnt
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
exec </dev/ttyS0 >/dev/ttyS0 2>&1
# Lines stay lines, no echo, no carriage returns.
stty -echo -opost -icrnl
# Warnings and worse.
echo 5 >/proc/sys/kernel/printk
while read -r module; do
	insmod "/modules/$module" || echo "init: cannot load $module"
done </modules/order
ip link set lo up
echo "init: ready"
sh /script </dev/null &
# A command is "ID words"; its output comes back as lines that begin with the ID, which a line of /script cannot.
while read -r id command; do
	output=$(eval "$command" 2>&1 </dev/null)
	status=$?
	[ -n "$output" ] && printf '%s\n' "$output" | sed "s/^/$id: /"
	echo "$id done $status"
done
