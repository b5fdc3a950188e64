# A guest agent as far as libvirt asks it: it answers synchronization and everything else with success.
for port in /sys/class/virtio-ports/*; do
	[ "$(cat "$port/name")" = org.qemu.guest_agent.0 ] || continue
	exec 3<>"/dev/${port##*/}"
	while read -r line <&3; do
		id=$(echo "$line" | sed -n 's/.*"id": *\([0-9]*\).*/\1/p')
		case $line in
		*guest-sync-delimited*) printf '\377{"return": %s}\n' "$id" >&3 ;;
		*guest-sync*) printf '{"return": %s}\n' "$id" >&3 ;;
		*) printf '{"return": {}}\n' >&3 ;;
		esac
	done
done
