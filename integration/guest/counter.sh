# Counts the seconds, writes each count to the disk, and reports checksums of the disk and of a piece of memory.
# /quiet stops the writing, so that a checksum of the disk stays true.
disk=/dev/vda
mkdir /memory
mount -t tmpfs -o size=9m memory /memory
dd if=/dev/urandom of=/memory/chunk bs=1M count=8 2>/dev/null
cat >/bin/sums <<'SUMS'
sync
echo 3 >/proc/sys/vm/drop_caches
set -- $(md5sum /dev/vda /memory/chunk)
echo "disk=$1 memory=$3"
SUMS
chmod 755 /bin/sums
n=0
while :; do
	n=$((n + 1))
	[ -e /quiet ] || printf '%-511s\n' "tick $n" | dd of=$disk seek=$n bs=512 conv=notrunc,fsync 2>/dev/null
	[ $((n % 5)) = 1 ] && echo "sums $n $(sums)"
	echo "tick $n"
	sleep 1
done
