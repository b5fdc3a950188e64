# Runs commands that come in on a virtio port, each a line "ID WORDS". What it prints, and then a line "status ID N", go
# back there.
# The serial port of an emulated machine that has to wait for its turn doubles a character now and then.
until port=$(grep -lx org.github.vhostmd.1 /sys/class/virtio-ports/*/name 2>/dev/null); do sleep 1; done
port=${port%/name}
exec 4<>"/dev/${port##*/}"
while :; do
	# The port is at its end while nobody is connected to it.
	read -r id command <&4 || { sleep 1; continue; }
	{ eval "$command" 2>&1 </dev/null; echo "status $id $?"; } >&4
done
