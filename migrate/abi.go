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
}

// hostSide is the allow-list of the verifier: class C of the guest ABI, what
// the host alone can see. Whatever is not listed, unknown elements included, is
// guest-visible and must be equal. Source: libvirt 9.0 to 11.3, its comparison
// and experiments with QEMU's (guest ABI sections 2 and 10).
var hostSide = []hostRow{
	// Domain level.
	{"title", nil}, {"title/**", nil}, {"description", nil}, {"description/**", nil},
	{"memory/@dumpCore", nil},
	{"memoryBacking/{hugepages,nosharepages,locked,access,allocation,discard}/**", nil},
	{"vcpu/@placement", nil}, {"vcpu/@cpuset", nil},
	{"{iothreads,iothreadids,defaultiothread}/**", nil},
	{"{cputune,numatune,memtune,blkiotune,resource,perf,throttlegroups,idmap}/**", nil},
	{"{on_poweroff,on_reboot,on_crash,on_lockfailure}/**", nil},
	{"seclabel/**", nil},
	{"features/{tcg,async-teardown}/**", nil},
	{"cpu/@match", nil}, {"cpu/model/@fallback", nil},
	{"cpu/numa/cell/@memAccess", nil}, {"cpu/numa/cell/@discard", nil},

	// Firmware: the path is free, the kind of firmware is not.
	{"os/loader/@readonly", nil}, {"os/loader/@format", nil},
	{"os/nvram/@templateFormat", nil}, {"os/nvram/@format", nil}, {"os/nvram/@type", nil},

	// Disks, and every element of a storage chain.
	{"devices/disk/@type", nil}, {"devices/disk/@rawio", nil}, {"devices/disk/@sgio", nil}, {"devices/disk/@snapshot", nil},
	{"devices/disk/source/@*", nil},
	{"devices/disk/source/{host,identity,knownHosts,config,reservations,slices,encryption,auth,initiator,snapshot,ssl,cookies,readahead,timeout,reconnect,address,seclabel}/**", nil},
	{"devices/disk/{auth,encryption,shareable,transient,iotune,throttlefilters,backenddomain}/**", nil},
	{"devices/disk/driver/@{name,type,io,error_policy,rerror_policy,discard,detect_zeroes,discard_no_unref,copy_on_read,iothread,ioeventfd}", nil},
	{"devices/disk/driver/@cache", sameWriteCache},
	{"devices/disk/driver/{iothreads,metadata_cache,statistics}/**", nil},

	// Controllers, shared directories.
	{"devices/controller/driver/@{ioeventfd,iothread}", nil},
	{"devices/controller/driver/iothreads/**", nil},
	{"devices/filesystem/@{fmode,dmode,type}", nil},
	{"devices/filesystem/{source,binary,idmap,space_hard_limit,space_soft_limit}/**", nil},

	// Network interfaces.
	{"devices/interface/@type", sameBackEnd}, {"devices/interface/@managed", nil}, {"devices/interface/@trustGuestRxFilters", nil},
	{"devices/interface/{source,script,downscript,virtualport,vlan,port,portOptions,bandwidth,filterref,backend,tune,ip,route,portForward,coalesce,target}/**", nil},
	{"devices/interface/driver/@{name,ioeventfd,txmode}", nil},

	// Assigned and redirected devices.
	{"devices/hostdev/@{managed,sgio,rawio}", nil},
	{"devices/hostdev/source/{address,vendor,product,adapter,host,auth,initiator,block,char,interface}/**", nil},
	{"devices/hostdev/source/@*", nil}, {"devices/hostdev/source/@guestReset", equalText},
	{"devices/hostdev/{driver,readonly,shareable}/**", nil},
	{"devices/redirdev/{source,log,protocol}/**", nil},
	{"devices/lease/**", nil},

	// Character devices: the back end is the host's.
	{"devices/{serial,console,parallel,channel}/@{type,tty}", nil},
	{"devices/{serial,console,parallel,channel}/{source,protocol,log}/**", nil},
	{"devices/channel/target/@state", nil},
	{"devices/smartcard/{source,log,protocol}/**", nil},

	// Other devices.
	{"devices/{graphics,audio}/**", nil},
	{"devices/sound/audio/**", nil},
	{"devices/input/source/@{dev,evdev}", nil},
	{"devices/tpm/backend/{device,source,encryption}/**", nil},
	{"devices/tpm/backend/@{debug,persistent_state}", nil},
	{"devices/memballoon/stats/**", nil},
	{"devices/rng/{rate,backend}/**", nil},
	{"devices/watchdog/@action", nil},
	{"devices/shmem/@name", nil},
	{"devices/memory/@{access,discard}", nil},
	{"devices/memory/source/{pagesize,nodemask}/**", nil},

	// Names that libvirt hands out anew on every start; a user's stay.
	{"devices/{disk,controller,filesystem,interface,hostdev,redirdev,smartcard,hub,serial,parallel,console,channel,input,tpm,sound,video,memballoon,rng,watchdog,panic,iommu,vsock,crypto}/alias/@name", sameAlias},

	// Spellings.
	{"uuid", strings.EqualFold}, {"devices/interface/mac/@address", strings.EqualFold},
	{"devices/{disk,controller,filesystem,interface,hostdev,redirdev,smartcard,hub,serial,parallel,console,channel,input,tpm,sound,video,memballoon,rng,watchdog,panic,iommu,vsock,crypto,shmem,memory}/address/@{domain,bus,slot,function,controller,unit,target,port,base,iobase,irq,cssid,ssid,devno,reg}", sameNumber},
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
// network stack is part of the migration stream.
func sameBackEnd(a, b string) bool { return a != "user" && b != "user" }

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
