#!/bin/sh
# Installs what the two pods need on a Debian 12 machine, as root:
#
#   packages  libvirt 9.0, QEMU 7.2, firmware, TPM emulator, a C compiler for libvirt's Go binding
#   kernel    Debian's cloud kernel, unpacked below the cache and not installed: the machine's /boot stays as it is
#   trixie    a Debian 13 root below the cache, with libvirt 11.3 and QEMU 10.0 in it
#
# What is there already is left alone, and then nothing is downloaded. Two runs beside each other wait for one
# another. No daemon is started. The cache is /var/cache/migxml, or $MIGXML_CACHE.
set -eu

cache=${MIGXML_CACHE:-/var/cache/migxml}
mirror=${MIGXML_MIRROR:-http://deb.debian.org/debian}

packages='libvirt-daemon libvirt-daemon-driver-qemu libvirt-clients qemu-system-x86 qemu-utils
	ovmf swtpm swtpm-tools busybox-static genisoimage libxml2-utils iproute2 mount debootstrap
	libvirt-dev pkg-config gcc libc6-dev'
trixie_packages='libvirt-daemon libvirt-daemon-driver-qemu libvirt-daemon-driver-storage libvirt-clients qemu-system-x86 qemu-utils ovmf swtpm swtpm-tools'

say() { echo "install: $*"; }
die() { echo "install: $*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || die "needs root, runs as user $(id -un)"
[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || die "needs an amd64 machine with Debian's packages"
. /etc/os-release
[ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ] ||
	die "needs Debian 12 (the source pod is its libvirt 9.0), this is ${PRETTY_NAME:-unknown}"

mkdir -p "$cache"
exec 9>"$cache/lock"
flock -n 9 || { say "another run is installing, waiting for it"; flock 9; }

# While packages are set up, policy-rc.d says that no service may be started. The machine's own file, if it has
# one, waits beside it and comes back on every way out; after a run that was killed, the next one puts it back.
policy=/usr/sbin/policy-rc.d
restore_policy() {
	if grep -qs '^# migxml:' "$policy"; then
		rm -f "$policy"
		[ ! -e "$policy.migxml-saved" ] || mv -f "$policy.migxml-saved" "$policy"
	fi
	rm -f "$policy.migxml-saved" "$policy.migxml-new"
}
forbid_services() {
	[ ! -e "$policy" ] || cp -a "$policy" "$policy.migxml-saved"
	printf '#!/bin/sh\n# migxml: no service starts while packages are set up\nexit 101\n' >"$policy.migxml-new"
	chmod 755 "$policy.migxml-new"
	mv -f "$policy.migxml-new" "$policy"
}
restore_policy
trap restore_policy EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

apt='apt-get -q -y -o DPkg::Lock::Timeout=600 -o Dpkg::Options::=--force-unsafe-io'
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

updated=
update() {
	[ -n "$updated" ] && return
	say "apt-get update"
	# A third party's archive that does not answer must not stop us: what is really missing shows at the install.
	$apt update >"$cache/apt.log" 2>&1 || say "apt-get update had errors (see $cache/apt.log), trying on"
	updated=1
}

# 1. Packages.
missing=
for p in $packages; do
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing="$missing $p"
done
if [ -n "$missing" ]; then
	say "packages:$missing"
	update
	forbid_services
	# shellcheck disable=SC2086 # a list of words
	$apt install --no-install-recommends $missing >"$cache/apt.log" 2>&1 ||
		{ tail -n 20 "$cache/apt.log" >&2; die "apt-get install failed, see $cache/apt.log"; }
	restore_policy
fi

# A tree is built beside its final place and renamed when it is whole: a name without ".new" is always complete.
# The name holds what it was made of, so a changed list makes a new tree and never pulls one from under a running test.
publish() { # name of the tree, name of the link
	mv "$cache/$1.new" "$cache/$1"
	ln -sfn "$1" "$cache/$2.new"
	mv -T "$cache/$2.new" "$cache/$2"
}

# 2. The guest's kernel.
if [ ! -e "$cache/kernel/vmlinuz" ]; then
	update
	package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$package" ] || die "linux-image-cloud-amd64 names no kernel package"
	say "kernel: $package"
	tree=$package
	rm -rf "${cache:?}/$tree" "$cache/$tree.new"
	mkdir -p "$cache/$tree.new"
	(cd "$cache/$tree.new" && $apt download "$package" >"$cache/apt.log" 2>&1) || die "apt-get download $package failed, see $cache/apt.log"
	dpkg-deb -x "$cache/$tree.new"/*.deb "$cache/$tree.new"
	rm -f "$cache/$tree.new"/*.deb
	mv "$cache/$tree.new/boot"/vmlinuz-* "$cache/$tree.new/vmlinuz"
	mv "$cache/$tree.new/lib/modules"/* "$cache/$tree.new/modules"
	publish "$tree" kernel
fi

# 3. The second generation. It is built in namespaces of its own: mounts and processes end with it, however it ends.
tree=trixie-$(printf '%s' "$trixie_packages" | sha256sum | cut -c 1-12)
if [ "$(readlink "$cache/trixie" 2>/dev/null)" != "$tree" ] || [ ! -e "$cache/$tree/etc/debian_version" ]; then
	say "trixie: Debian 13 with its libvirt and QEMU, into $cache/$tree"
	rm -rf "${cache:?}/$tree" "$cache/$tree.new"
	root=$cache/$tree.new
	unshare --mount --pid --fork --kill-child --propagation private sh -eu -c '
		root=$1 mirror=$2 packages=$3
		debootstrap --variant=minbase trixie "$root" "$mirror"
		printf "#!/bin/sh\nexit 101\n" >"$root/usr/sbin/policy-rc.d"
		chmod 755 "$root/usr/sbin/policy-rc.d"
		mount -t proc proc "$root/proc"
		mount -t sysfs sysfs "$root/sys"
		chroot "$root" apt-get -q -y -o Dpkg::Options::=--force-unsafe-io install --no-install-recommends $packages
		chroot "$root" apt-get clean
		rm -rf "$root/var/lib/apt/lists"/*
	' sh "$root" "$mirror" "$trixie_packages" >"$cache/trixie.log" 2>&1 9>&- </dev/null ||
		{ tail -n 20 "$cache/trixie.log" >&2; die "building the Debian 13 root failed, see $cache/trixie.log"; }
	publish "$tree" trixie
fi
say "all there"
