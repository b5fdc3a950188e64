package migrate

import (
	"strconv"
	"strings"
)

// hostSide is the allow-list of the verifier: class C of the guest ABI, what
// the host alone can see. Whatever is not listed, unknown elements included, is
// guest-visible and must be equal. Source: libvirt 9.0 to 11.3, its comparison
// and experiments with QEMU's (guest ABI sections 2 and 10). A row names a place as
// those of places.go do; a trailing /** means the whole element, which may come and
// go, and /@* every attribute of it that no row names.
var hostSide = []string{
	// Domain level.
	"title", "title/**", "description", "description/**",
	"memory/@dumpCore",
	"memoryBacking/{hugepages,nosharepages,locked,access,allocation,discard}/**",
	"vcpu/@placement", "vcpu/@cpuset",
	"{iothreads,iothreadids,defaultiothread}/**",
	"{cputune,numatune,memtune,blkiotune,resource,perf,throttlegroups,idmap}/**",
	"{on_poweroff,on_reboot,on_crash,on_lockfailure}/**",
	"seclabel/**",
	"features/{tcg,async-teardown}/**",
	"cpu/@match", "cpu/model/@fallback",
	"cpu/numa/cell/@memAccess", "cpu/numa/cell/@discard",

	// Firmware: the path is free, the kind of firmware is not.
	"os/loader/@readonly", "os/loader/@format",
	"os/nvram/@templateFormat", "os/nvram/@format", "os/nvram/@type",

	// Disks, and every element of a storage chain.
	"devices/disk/@type", "devices/disk/@rawio", "devices/disk/@sgio", "devices/disk/@snapshot",
	"devices/disk/source/@*",
	"devices/disk/source/{host,identity,knownHosts,config,reservations,encryption,auth,initiator,snapshot,ssl,cookies,readahead,timeout,reconnect,address,seclabel}/**",
	"devices/disk/{auth,encryption,shareable,transient,iotune,throttlefilters,backenddomain}/**",
	"devices/disk/driver/@{name,type,io,error_policy,rerror_policy,discard,detect_zeroes,discard_no_unref,copy_on_read,iothread,ioeventfd}",

	"devices/disk/driver/{iothreads,metadata_cache,statistics}/**",

	// Controllers, shared directories.
	"devices/controller/driver/@{ioeventfd,iothread}",
	"devices/controller/driver/iothreads/**",
	"devices/filesystem/@{fmode,dmode,type}",
	"devices/filesystem/{source,binary,idmap,space_hard_limit,space_soft_limit}/**",

	// Network interfaces.
	"devices/interface/@managed", "devices/interface/@trustGuestRxFilters",
	"devices/interface/{source,script,downscript,virtualport,vlan,port,portOptions,bandwidth,filterref,backend,tune,ip,route,portForward,coalesce,target}/**",
	"devices/interface/driver/@{name,ioeventfd,txmode}",

	// Assigned and redirected devices.
	"devices/hostdev/@{managed,sgio,rawio}",
	"devices/hostdev/source/{address,vendor,product,adapter,host,auth,initiator,block,char,interface}/**",
	"devices/hostdev/source/@*",
	"devices/hostdev/{driver,readonly,shareable}/**",
	"devices/redirdev/{source,log,protocol}/**",
	"devices/lease/**",

	// Character devices: the back end is the host's.
	"devices/{serial,console,parallel}/@{type,tty}",
	"devices/channel/@tty",
	"devices/{serial,console,parallel,channel}/{source,protocol,log}/**",
	"devices/channel/target/@state",
	"devices/smartcard/{source,log,protocol}/**",

	// Other devices.
	"devices/{graphics,audio}/**",
	"devices/sound/audio/**",
	"devices/input/source/@{dev,evdev}",
	"devices/tpm/backend/{device,source,encryption}/**",
	"devices/tpm/backend/@{debug,persistent_state}",
	"devices/memballoon/stats/**",
	"devices/rng/{rate,backend}/**",
	"devices/watchdog/@action",
	"devices/shmem/@name",
	"devices/memory/@{access,discard}",
	"devices/memory/source/{pagesize,nodemask}/**",
}

// meaning is a place whose value may change to another that means the same to the guest.
type meaning struct {
	where string
	same  func(a, b string) bool
	// spelling: such a change is no difference at all.
	spelling bool
}

// meanings are the places with a freedom that has a limit.
var meanings = []meaning{
	{"devices/disk/driver/@cache", sameWriteCache, false},
	{"devices/interface/@type", sameBackEnd, false},
	{"devices/hostdev/source/@guestReset", equalText, false},
	{"devices/channel/@type", sameChannel, false},

	// Names that libvirt hands out anew on every start; a user's stay.
	{"devices/{disk,controller,filesystem,interface,hostdev,redirdev,smartcard,hub,serial,parallel,console,channel,input,tpm,sound,video,memballoon,rng,watchdog,panic,iommu,vsock,crypto}/alias/@name", sameAlias, true},

	// Spellings.
	{"uuid", strings.EqualFold, true},
	{"devices/interface/mac/@address", strings.EqualFold, true},
	{"devices/{disk,controller,filesystem,interface,hostdev,redirdev,smartcard,hub,serial,parallel,console,channel,input,tpm,sound,video,memballoon,rng,watchdog,panic,iommu,vsock,crypto,shmem,memory}/address/@{domain,bus,slot,function,controller,unit,target,port,base,iobase,irq,cssid,ssid,devno,reg}", sameNumber, true},
}

// sameWriteCache: none, writeback and unsafe show the guest a volatile write
// cache, writethrough and directsync do not.
func sameWriteCache(a, b string) bool {
	volatile := func(mode string) bool { return mode != "writethrough" && mode != "directsync" }
	known := func(mode string) bool {
		switch mode {
		case "", "default", "none", "writeback", "unsafe", "writethrough", "directsync":
			return true
		}
		return false
	}
	return known(a) && known(b) && volatile(a) == volatile(b)
}

// sameBackEnd: any back end may replace another, except that the user-mode
// network stack is part of the migration stream, and that an assigned device is
// another device.
func sameBackEnd(a, b string) bool {
	own := func(kind string) bool { return kind == "user" || kind == "hostdev" }
	return !own(a) && !own(b)
}

// sameChannel: an agent channel of SPICE brings its own name and may not be
// exchanged for another kind.
func sameChannel(a, b string) bool { return a != "spicevmc" && b != "spicevmc" }

// sameAlias: aliases without "ua-" are libvirt's own and are made anew.
func sameAlias(a, b string) bool {
	return !strings.HasPrefix(a, "ua-") && !strings.HasPrefix(b, "ua-")
}

func equalText(a, b string) bool { return a == b }

// sameNumber compares addresses as libvirt reads them: 0x means hexadecimal.
func sameNumber(a, b string) bool {
	x, errA := strconv.ParseUint(a, 0, 64)
	y, errB := strconv.ParseUint(b, 0, 64)
	return errA == nil && errB == nil && x == y
}
