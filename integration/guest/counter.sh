# Counts the seconds and writes each count to the disk. The command sums prints checksums of the disk and of a piece of
# memory; a file /quiet stops the writing, so that a checksum of the disk stays true.
#
# The guest sleeps most of the time: under TCG, QEMU can lose a page that is written in the very moment in which a
# migration looks at which pages were written (see the package documentation).
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
echo "sums $(sums)"
n=0
while :; do
	n=$((n + 1))
	if [ ! -e /quiet ]; then
		echo "count $n" 1<>$disk
		sync
	fi
	echo "tick $n"
	sleep 1
done
