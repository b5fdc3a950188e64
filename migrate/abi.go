package migrate

import (
	"strconv"
	"strings"
)

// hostRow is one row of hostSide.
type hostRow struct {
	// where as in place; a trailing /** means the whole element, which may
	// come and go, and /@* every attribute of it that no row names.
	where string
	// same, if given, limits the freedom: the value may change to another
	// that means the same to the guest.
	same func(a, b string) bool
	// spelling: such a change is no difference at all.
	spelling bool
}

// hostSide is the allow-list of the verifier: class C of the guest ABI, what
// the host alone can see. Whatever is not listed, unknown elements included, is
// guest-visible and must be equal. Source: libvirt 9.0 to 11.3, its comparison
// and experiments with QEMU's (guest ABI sections 2 and 10).
var hostSide = []hostRow{
	// Domain level.
	{"title", nil, false}, {"title/**", nil, false}, {"description", nil, false}, {"description/**", nil, false},
	{"memory/@dumpCore", nil, false},
	{"memoryBacking/{hugepages,nosharepages,locked,access,allocation,discard}/**", nil, false},
	{"vcpu/@placement", nil, false}, {"vcpu/@cpuset", nil, false},
	{"{iothreads,iothreadids,defaultiothread}/**", nil, false},
	{"{cputune,numatune,memtune,blkiotune,resource,perf,throttlegroups,idmap}/**", nil, false},
	{"{on_poweroff,on_reboot,on_crash,on_lockfailure}/**", nil, false},
	{"seclabel/**", nil, false},
	{"features/{tcg,async-teardown}/**", nil, false},
	{"cpu/@match", nil, false}, {"cpu/model/@fallback", nil, false},
	{"cpu/numa/cell/@memAccess", nil, false}, {"cpu/numa/cell/@discard", nil, false},

	// Firmware: the path is free, the kind of firmware is not.
	{"os/loader/@readonly", nil, false}, {"os/loader/@format", nil, false},
	{"os/nvram/@templateFormat", nil, false}, {"os/nvram/@format", nil, false}, {"os/nvram/@type", nil, false},

	// Disks, and every element of a storage chain.
	{"devices/disk/@type", nil, false}, {"devices/disk/@rawio", nil, false}, {"devices/disk/@sgio", nil, false}, {"devices/disk/@snapshot", nil, false},
	{"devices/disk/source/@*", nil, false},
	{"devices/disk/source/{host,identity,knownHosts,config,reservations,encryption,auth,initiator,snapshot,ssl,cookies,readahead,timeout,reconnect,address,seclabel}/**", nil, false},
	{"devices/disk/{auth,encryption,shareable,transient,iotune,throttlefilters,backenddomain}/**", nil, false},
	{"devices/disk/driver/@{name,type,io,error_policy,rerror_policy,discard,detect_zeroes,discard_no_unref,copy_on_read,iothread,ioeventfd}", nil, false},
	{"devices/disk/driver/@cache", sameWriteCache, false},
	{"devices/disk/driver/{iothreads,metadata_cache,statistics}/**", nil, false},

	// Controllers, shared directories.
	{"devices/controller/driver/@{ioeventfd,iothread}", nil, false},
	{"devices/controller/driver/iothreads/**", nil, false},
	{"devices/filesystem/@{fmode,dmode,type}", nil, false},
	{"devices/filesystem/{source,binary,idmap,space_hard_limit,space_soft_limit}/**", nil, false},

	// Network interfaces.
	{"devices/interface/@type", sameBackEnd, false}, {"devices/interface/@managed", nil, false}, {"devices/interface/@trustGuestRxFilters", nil, false},
	{"devices/interface/{source,script,downscript,virtualport,vlan,port,portOptions,bandwidth,filterref,backend,tune,ip,route,portForward,coalesce,target}/**", nil, false},
	{"devices/interface/driver/@{name,ioeventfd,txmode}", nil, false},

	// Assigned and redirected devices.
	{"devices/hostdev/@{managed,sgio,rawio}", nil, false},
	{"devices/hostdev/source/{address,vendor,product,adapter,host,auth,initiator,block,char,interface}/**", nil, false},
	{"devices/hostdev/source/@*", nil, false}, {"devices/hostdev/source/@guestReset", equalText, false},
	{"devices/hostdev/{driver,readonly,shareable}/**", nil, false},
	{"devices/redirdev/{source,log,protocol}/**", nil, false},
	{"devices/lease/**", nil, false},

	// Character devices: the back end is the host's.
	{"devices/{serial,console,parallel}/@{type,tty}", nil, false},
	{"devices/channel/@tty", nil, false}, {"devices/channel/@type", sameChannel, false},
	{"devices/{serial,console,parallel,channel}/{source,protocol,log}/**", nil, false},
	{"devices/channel/target/@state", nil, false},
	{"devices/smartcard/{source,log,protocol}/**", nil, false},

	// Other devices.
	{"devices/{graphics,audio}/**", nil, false},
	{"devices/sound/audio/**", nil, false},
	{"devices/input/source/@{dev,evdev}", nil, false},
	{"devices/tpm/backend/{device,source,encryption}/**", nil, false},
	{"devices/tpm/backend/@{debug,persistent_state}", nil, false},
	{"devices/memballoon/stats/**", nil, false},
	{"devices/rng/{rate,backend}/**", nil, false},
	{"devices/watchdog/@action", nil, false},
	{"devices/shmem/@name", nil, false},
	{"devices/memory/@{access,discard}", nil, false},
	{"devices/memory/source/{pagesize,nodemask}/**", nil, false},

	// Names that libvirt hands out anew on every start; a user's stay.
	{"devices/{disk,controller,filesystem,interface,hostdev,redirdev,smartcard,hub,serial,parallel,console,channel,input,tpm,sound,video,memballoon,rng,watchdog,panic,iommu,vsock,crypto}/alias/@name", sameAlias, true},

	// Spellings.
	{"uuid", strings.EqualFold, true}, {"devices/interface/mac/@address", strings.EqualFold, true},
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
