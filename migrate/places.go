package migrate

// Kind says what a place of domain XML holds.
type kind uint8

const (
	// kindPath: a host path, if the value starts with "/".
	kindPath kind = iota + 1
	// kindText: longer text in which host paths can stand.
	kindText
	// kindQEMUArg: a QEMU argument: options joined by commas, a comma inside a
	// value doubled.
	kindQEMUArg
	// kindStay: looks like a host path and is none; never changed.
	kindStay
	// kindHost: bound to the host, and no path: a pin, a tap, an address.
	kindHost
)

// place is one row of the tables below.
type place struct {
	// where names the place below /domain: element names joined by "/", then
	// @attribute or nothing for the element's text. {a,b} stands for either
	// name. A namespaced element is written with its usual prefix.
	where string
	kind  kind
	// what the value is, in words that fit after "the".
	what string
}

// hostPaths lists every place that can hold a host path or socket.
//
// Rows below devices/disk hold for every element of a storage chain: the disk
// itself, its backingStore at any depth, its mirror and the data store of
// any of their sources (see storageLinks).
var hostPaths = []place{
	// Firmware and boot.
	{"os/loader", kindPath, "firmware image"},
	{"os/nvram", kindPath, "firmware variables file"},
	{"os/nvram/@template", kindPath, "template of the firmware variables"},
	{"os/kernel", kindPath, "kernel"},
	{"os/initrd", kindPath, "initial ramdisk"},
	{"os/dtb", kindPath, "device tree"},
	{"os/shim", kindPath, "shim"},
	{"os/acpi/table", kindPath, "ACPI table"},
	{"sysinfo/entry/@file", kindPath, "file behind a firmware configuration entry"},
	{"devices/emulator", kindPath, "emulator binary"},

	// Disks and every other element of a storage chain.
	{"devices/disk/source/@file", kindPath, "image file"},
	{"devices/disk/source/@dev", kindPath, "block device"},
	{"devices/disk/source/@dir", kindPath, "directory shown as a disk"},
	{"devices/disk/source/@path", kindPath, "vhost-user socket of the disk"},
	{"devices/disk/source/host/@socket", kindPath, "socket of the storage server"},
	{"devices/disk/source/identity/@keyfile", kindPath, "ssh key file"},
	{"devices/disk/source/identity/@agentsock", kindPath, "ssh agent socket"},
	{"devices/disk/source/knownHosts/@path", kindPath, "ssh known hosts file"},
	{"devices/disk/source/config/@file", kindPath, "storage client configuration"},
	{"devices/disk/source/reservations/source/@path", kindPath, "socket of the reservation helper"},
	{"devices/disk/@file", kindPath, "image file of an older mirror"},

	// Character devices.
	{"devices/{serial,console,parallel,channel,redirdev,smartcard}/source/@path", kindPath, "socket, pipe or device of the character device"},
	{"devices/{serial,console,parallel,channel,redirdev,smartcard}/source/@master", kindPath, "master end of the null modem"},
	{"devices/{serial,console,parallel,channel,redirdev,smartcard}/source/@slave", kindPath, "slave end of the null modem"},
	{"devices/{serial,console,parallel,channel,redirdev,smartcard}/log/@file", kindPath, "log of the character device"},
	{"devices/{serial,console,parallel,channel}/@tty", kindPath, "terminal of the character device"},
	{"devices/smartcard/database", kindPath, "certificate database"},
	{"devices/rng/backend", kindPath, "source of randomness"},
	{"devices/rng/backend/source/@path", kindPath, "socket of the entropy daemon"},
	{"devices/rng/backend/log/@file", kindPath, "log of the entropy connection"},

	// Graphics, video, audio, input.
	{"devices/graphics/@socket", kindPath, "graphics socket"},
	{"devices/graphics/listen/@socket", kindPath, "graphics socket"},
	{"devices/graphics/gl/@rendernode", kindPath, "render node"},
	{"devices/graphics/@xauth", kindPath, "X authority file"},
	{"devices/graphics/@address", kindText, "D-Bus address of the graphics"},
	{"devices/video/model/acceleration/@rendernode", kindPath, "render node"},
	{"devices/audio/@runtimeDir", kindPath, "runtime directory of the audio server"},
	{"devices/audio/@path", kindPath, "audio file"},
	{"devices/audio/@serverName", kindText, "address of the audio server"},
	{"devices/audio/{input,output}/@dev", kindPath, "audio device"},
	{"devices/input/source/@dev", kindPath, "input device"},
	{"devices/input/source/@evdev", kindPath, "input device"},

	// Network interfaces and assigned devices.
	{"devices/interface/source/@path", kindPath, "vhost-user socket of the interface"},
	{"devices/interface/source/@dev", kindPath, "device behind the interface"},
	{"devices/interface/backend/@logFile", kindPath, "log of the interface's back end"},
	{"devices/interface/backend/@tap", kindPath, "tap device node"},
	{"devices/interface/backend/@vhost", kindPath, "vhost device node"},
	{"devices/interface/script/@path", kindPath, "script that brings the interface up"},
	{"devices/interface/downscript/@path", kindPath, "script that takes the interface down"},
	{"devices/interface/target/@dev", kindPath, "host end of the interface"},
	{"devices/hostdev/source/block", kindPath, "assigned block device"},
	{"devices/hostdev/source/char", kindPath, "assigned character device"},
	{"devices/{interface,hostdev,disk,controller,redirdev,video}/rom/@file", kindPath, "option ROM"},

	// Shared directories, memory, TPM, the rest.
	{"devices/filesystem/source/@dir", kindPath, "shared directory"},
	{"devices/filesystem/source/@file", kindPath, "image of the shared file system"},
	{"devices/filesystem/source/@dev", kindPath, "block device of the shared file system"},
	{"devices/filesystem/source/@socket", kindPath, "virtiofs socket"},
	{"devices/filesystem/binary/@path", kindPath, "virtiofs daemon"},
	{"devices/memory/source/path", kindPath, "backing of the memory device"},
	{"devices/pstore/path", kindPath, "backing of the persistent store"},
	{"devices/shmem/server/@path", kindPath, "socket of the shared-memory server"},
	{"devices/tpm/backend/device/@path", kindPath, "TPM device"},
	{"devices/tpm/backend/source/@path", kindPath, "state or socket of the TPM"},
	{"devices/lease/target/@path", kindPath, "lease file"},
	{"blkiotune/device/path", kindPath, "host block device being tuned"},
	{"launchSecurity/quoteGenerationService/@path", kindPath, "socket of the quote service"},

	// Arguments for QEMU itself, and what other drivers pass through.
	{"qemu:commandline/qemu:arg/@value", kindQEMUArg, "QEMU argument"},
	{"qemu:commandline/qemu:env/@value", kindText, "environment variable of QEMU"},
	{"qemu:override/qemu:device/qemu:frontend/qemu:property/@value", kindText, "QEMU device property"},
	{"xen:commandline/xen:arg/@value", kindText, "argument of the Xen device model"},
	{"bhyve:commandline/bhyve:arg/@value", kindText, "bhyve argument"},
	{"bhyve:commandline/bhyve:env/@value", kindText, "environment variable of bhyve"},
}

// looksLikePath lists the places whose values can start with "/" and are no
// host paths: the guest sees them, or another machine does. They never move.
var looksLikePath = []place{
	{"devices/filesystem/target/@dir", kindStay, "mount tag that the guest sees"},
	{"os/init", kindStay, "program inside the guest"},
	{"os/initdir", kindStay, "directory inside the guest"},
	{"os/initarg", kindStay, "argument of a program inside the guest"},
	{"os/initenv", kindStay, "environment inside the guest"},
	{"os/cmdline", kindStay, "kernel command line, read by the guest"},
	{"bootloader", kindStay, "boot loader of a Xen guest, which libvirt runs on the host that starts it"},
	{"bootloader_args", kindStay, "arguments of the boot loader"},
	{"devices/disk/source/@name", kindStay, "name on the storage server"},
	{"devices/disk/source/@query", kindStay, "query sent to the storage server"},
	{"devices/disk/source/cookies/cookie", kindStay, "cookie for the storage server"},
	{"devices/disk/{source,mirror,auth,encryption}/secret/@usage", kindStay, "usage name of a secret"},
	{"devices/disk/source/{auth,encryption}/secret/@usage", kindStay, "usage name of a secret"},
	{"devices/disk/{serial,wwn,vendor,product}", kindStay, "identity of the disk that the guest sees"},
	{"devices/channel/target/@name", kindStay, "name of the channel that the guest sees"},
	{"sysinfo/{bios,system,baseBoard,chassis,oemStrings}/entry", kindStay, "SMBIOS string that the guest sees"},
	{"sysinfo/entry", kindStay, "firmware configuration entry that the guest sees"},
	{"name", kindStay, "name of the domain"},
}

// hostValues lists host-bound values that are no paths. No rule changes them
// yet; a plan lists each as kept.
var hostValues = []place{
	{"vcpu/@cpuset", kindHost, "host CPUs of the virtual CPUs"},
	{"cputune/{vcpupin,emulatorpin,iothreadpin}/@cpuset", kindHost, "pin to host CPUs"},
	{"cputune/{cachetune,memorytune}/@vcpus", kindHost, "host cache or memory bandwidth allocation"},
	{"numatune/{memory,memnode}/@nodeset", kindHost, "host memory nodes"},
	{"devices/memory/source/nodemask", kindHost, "host memory nodes of the memory device"},
	{"devices/interface/source/@bridge", kindHost, "host bridge"},
	{"devices/interface/source/@network", kindHost, "host network"},
	{"devices/interface/source/address/@bus", kindHost, "host PCI address of the interface"},
	{"devices/hostdev/source/address/@bus", kindHost, "host address of the assigned device"},
	{"devices/hostdev/source/address/@uuid", kindHost, "mediated device of the host"},
	{"devices/disk/source/address/@bus", kindHost, "host PCI address of the NVMe disk"},
	{"devices/graphics/@listen", kindHost, "listen address"},
	{"devices/graphics/listen/@address", kindHost, "listen address"},
	{"devices/graphics/listen/@network", kindHost, "host network of the listen address"},
	{"devices/{serial,console,parallel,channel,redirdev,smartcard}/source/@host", kindHost, "network address of the character device"},
	{"devices/disk/{auth,encryption}/secret/@uuid", kindHost, "secret that libvirt must know"},
	{"devices/disk/source/{auth,encryption}/secret/@uuid", kindHost, "secret that libvirt must know"},
	{"devices/tpm/backend/encryption/@secret", kindHost, "secret that libvirt must know"},
	{"devices/disk/source/@pool", kindHost, "storage pool of the host"},
	{"devices/disk/source/host/@name", kindHost, "address of the storage server"},
	{"devices/disk/source/initiator/iqn/@name", kindHost, "name of this host at the storage server"},
	{"devices/interface/source/@portgroup", kindHost, "port group of the host network"},
	{"devices/interface/filterref/@filter", kindHost, "network filter of the host"},
	{"devices/interface/virtualport/parameters/@profileid", kindHost, "port profile of the host network"},
	{"devices/interface/portForward/@dev", kindHost, "host interface that forwards ports"},
	{"devices/hostdev/source/adapter/@name", kindHost, "SCSI adapter of the host"},
	{"devices/hostdev/source/vendor/@id", kindHost, "USB device of the host"},
	{"devices/{serial,console,parallel,channel,redirdev,smartcard}/source/@service", kindHost, "network port of the character device"},
	{"resource/partition", kindHost, "cgroup partition of the host"},
	{"seclabel/label", kindHost, "static security label"},
}
