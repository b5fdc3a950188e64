package migrate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const smallDomain = `<domain type='kvm'>
  <name>shop_vm-a</name>
  <vcpu placement='static' cpuset='0-3'>2</vcpu>
  <os><loader type='pflash'>/usr/share/OVMF/CODE.fd</loader></os>
  <cpu mode='host-passthrough'><feature policy='require' name='vmx'/><feature policy='disable' name='svm'/></cpu>
  <devices>
    <disk type='file' device='disk'>
      <driver name='qemu' cache='none'/>
      <source file='/srv/a/1.img'/>
      <target dev='vda' bus='virtio'/>
      <address type='pci' bus='0x0a' slot='0x00'/>
    </disk>
    <disk type='file' device='cdrom'>
      <source file='/srv/a/2.iso'/>
      <target dev='sda' bus='sata'/>
    </disk>
    <interface type='user'><mac address='52:54:00:aa:bb:cc'/></interface>
    <graphics type='vnc' passwd='secret'/>
  </devices>
</domain>
`

func TestVerify(t *testing.T) {
	facts := Facts{Paths: []PathFact{{"/srv/a", "/srv/b"}, {"/srv/same", "/srv/same"}}}
	good := strings.ReplaceAll(smallDomain, "/srv/a/", "/srv/b/")
	tests := []struct{ name, old, new, want, reason string }{
		{"as planned", "", "", "", "what the facts ask for"},
		{"other spelling of an address", "bus='0x0a' slot='0x00'", "bus='10' slot='0'", "", "numbers are compared as numbers"},
		{"other spelling of a MAC", "52:54:00:aa:bb:cc", "52:54:00:AA:BB:CC", "", "MAC addresses have no case"},
		{"pin", "cpuset='0-3'", "cpuset='8-11'", "", "host CPUs are the host's business"},
		{"cache of the same kind", "cache='none'", "cache='writeback'", "", "both show the guest a volatile write cache"},
		{"cache of another kind", "cache='none'", "cache='writethrough'", "driver/@cache: source has none, destination has writethrough", "the guest sees another write cache"},
		{"unknown cache mode", "cache='none'", "cache='magic'", "driver/@cache", "what is not known cannot be called equal"},
		{"vcpu count", ">2<", ">4<", "/domain/vcpu: source has 2, destination has 4", "guest-visible text"},
		{"order of CPU features", "<feature policy='require' name='vmx'/><feature policy='disable' name='svm'/>", "<feature policy='disable' name='svm'/><feature policy='require' name='vmx'/>", "/domain/cpu/feature[1]/@policy", "libvirt compares features by position"},
		{"lost edit", "/srv/b/1.img", "/srv/a/1.img", `rule paths wants "/srv/b/1.img" there`, "a path that stayed"},
		{"swapped paths", "/srv/b/1.img", "/srv/b/2.iso", `rule paths wants "/srv/b/1.img" there`, "each place has its own value"},
		{"path without a fact", "/usr/share/OVMF/CODE.fd", "/usr/share/OVMF/OTHER.fd", "no path entry moves this path, so it must stay", "nobody asked for it"},
		{"medium removed", "      <source file='/srv/b/2.iso'/>\n", "", "both documents must have it", "the guest sees a media change"},
		{"device added", "<graphics", "<watchdog model='itco'/><graphics", "/domain/devices/watchdog", "a new device is seen"},
		{"unknown element", "<graphics", "<gadget/><graphics", "/domain/devices/gadget", "unknown counts as seen by the guest"},
		{"unknown attribute", "bus='virtio'", "bus='virtio' gadget='1'", "target/@gadget", "unknown counts as seen by the guest"},
		{"user network", "type='user'", "type='ethernet'", "interface/@type", "the user network is part of the migration stream"},
		{"source path in the title", "<vcpu", "<title>was /srv/a/1.img</title><vcpu", `"/srv/a" is left over`, "free text included"},
		{"source path in a new element", "<graphics type='vnc'", "<graphics type='vnc' socket='/srv/a/vnc'", `"/srv/a" is left over`, "host-side elements are hunted too"},
		{"secret", "passwd='secret'", "passwd='other'", "", "graphics are the host's business"},
		{"assigned device", "<interface type='user'>", "<interface type='hostdev'>", "interface/@type", "an assigned device is another device"},
		{"domain id", "<domain type='kvm'>", "<domain type='kvm' id='3'>", "/domain/@id", "the id is the source's"},
		{"second root", "</domain>\n", "</domain><domain/>", "destination XML, line", "well-formedness is checked first"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dest := good
			if tt.old != "" {
				require.Contains(t, good, tt.old)
				dest = strings.Replace(good, tt.old, tt.new, 1)
			}
			err := Verify([]byte(smallDomain), []byte(dest), facts)
			if tt.want == "" {
				require.NoError(t, err, tt.reason)
				return
			}
			require.ErrorContains(t, err, tt.want, tt.reason)
		})
	}
}

// Without facts only the host's business may differ, and paths are part of it.
func TestVerifyWithoutFacts(t *testing.T) {
	dest := strings.ReplaceAll(smallDomain, "/srv/a/", "/srv/elsewhere/")
	diffs, err := Compare([]byte(smallDomain), []byte(dest), Facts{}, Options{})
	require.NoError(t, err)
	require.Len(t, diffs, 2)
	require.Equal(t, "only the host sees this value", diffs[0].Reason)
}

func TestVerifyMasksSecrets(t *testing.T) {
	diffs, err := Compare([]byte(smallDomain), []byte(strings.Replace(smallDomain, "passwd='secret'", "passwd='other'", 1)), Facts{}, Options{})
	require.NoError(t, err)
	require.Len(t, diffs, 1)
	require.Equal(t, "(secret)", diffs[0].Source)
	require.Equal(t, "(secret)", diffs[0].Dest)
}

// Two documents that have nothing in common are not reported without end.
func TestVerifyStopsSomewhere(t *testing.T) {
	huge := "<domain>" + strings.Repeat("<a b='1'/>", 50000) + "</domain>"
	err := Verify([]byte("<domain/>"), []byte(huge), Facts{})
	require.ErrorContains(t, err, "more than 1000 problems, the rest is not shown")
	require.LessOrEqual(t, len(causes(err)), 1001)
}

func TestErrorsAreFoundByType(t *testing.T) {
	facts := Facts{Paths: []PathFact{{"/srv/a", "/srv/b"}}}
	var document *DocumentError
	require.ErrorAs(t, Verify([]byte("<domain/>"), []byte("<domain>"), facts), &document)
	require.Equal(t, "destination", document.Which)
	var abi *ABIError
	require.ErrorAs(t, Verify([]byte("<domain/>"), []byte("<domain><vcpu>1</vcpu></domain>"), facts), &abi)
	require.Equal(t, "/domain/vcpu", abi.Path)
	var left *LeftoverError
	require.ErrorAs(t, Verify([]byte("<domain/>"), []byte("<domain><title>/srv/a/x</title></domain>"), facts), &left)
	require.Equal(t, "/srv/a", left.Found)
}

func TestVerifyHostSide(t *testing.T) {
	tests := []struct{ name, source, dest, want, reason string }{
		{"bridge becomes an assigned device", "<devices><interface type='bridge'/></devices>", "<devices><interface type='hostdev'/></devices>", "interface/@type", "libvirt counts it among the host devices"},
		{"bridge becomes ethernet", "<devices><interface type='bridge'/></devices>", "<devices><interface type='ethernet'/></devices>", "", "the back end is the host's"},
		{"slice of another size", "<devices><disk><source file='/a'><slices><slice size='100'/></slices></source></disk></devices>", "<devices><disk><source file='/a'><slices><slice size='50'/></slices></source></disk></devices>", "slice/@size", "it is the size of the disk that the guest sees"},
		{"channel becomes SPICE's agent", "<devices><channel type='unix'/></devices>", "<devices><channel type='spicevmc'/></devices>", "channel/@type", "it brings a name of its own"},
		{"emulator", "<devices><emulator>/usr/bin/qemu</emulator></devices>", "<devices><emulator>/usr/bin/kvm</emulator></devices>", "", "without facts every path is the host's business"},
		{"loader", "<os><loader>/a</loader></os>", "<os><loader>/b</loader></os>", "", "without facts every path is the host's business"},
		{"memory backing", "<devices><memory><source><path>/a</path></source></memory></devices>", "<devices><memory><source><path>/b</path></source></memory></devices>", "", "without facts every path is the host's business"},
		{"option ROM", "<devices><interface><rom file='/a'/></interface></devices>", "<devices><interface/></devices>", "/domain/devices/interface/rom", "the ROM is memory of the guest"},
		{"metadata in two parts", "<metadata><k:a xmlns:k='http://kubevirt.io'/></metadata><metadata><v:b xmlns:v='urn:v'/></metadata>", "<metadata><v:b xmlns:v='urn:v'/></metadata>", "", "what is left is the other's"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Verify([]byte("<domain>"+tt.source+"</domain>"), []byte("<domain>"+tt.dest+"</domain>"), Facts{})
			if tt.want == "" {
				require.NoError(t, err, tt.reason)
				return
			}
			require.ErrorContains(t, err, tt.want, tt.reason)
		})
	}
}

// What one side's rules have done is verified as that side's.
func TestCompareOneSide(t *testing.T) {
	source := []byte("<domain id='4'><name>shop_vm-a</name><devices><disk><source file='/srv/a/x'/></disk></devices></domain>")
	facts := Facts{
		Paths:  []PathFact{{"/srv/a", "/srv/b"}},
		Policy: Policy{Side: SidePolicy{Source: []string{"paths"}, Target: []string{"all"}}},
	}
	plan, err := NewPlan(source, facts, Options{Side: SideSource})
	require.NoError(t, err)
	half, err := plan.Apply()
	require.NoError(t, err)
	_, err = Compare(source, half, facts, Options{Side: SideSource})
	require.NoError(t, err)
	require.Error(t, Verify(source, half, facts), "the id is still there")
}

// A thousand leftovers among ten thousand entries end soon, and so does their list.
func TestVerifyManyLeftovers(t *testing.T) {
	facts := Facts{}
	doc := &strings.Builder{}
	doc.WriteString("<domain>")
	for i := range 10_000 {
		facts.Paths = append(facts.Paths, PathFact{fmt.Sprintf("/srv/%d", i), fmt.Sprintf("/mnt/%d", i)})
		fmt.Fprintf(doc, "<zz a='/srv/%d/x'/>", i)
	}
	doc.WriteString("</domain>")
	err := Verify([]byte(doc.String()), []byte(doc.String()), facts)
	require.ErrorContains(t, err, "more than 1000 problems")
}

// Two disks on one image are no move, whatever the facts say.
func TestVerifyKeepsTwoFilesApart(t *testing.T) {
	const doc = `<domain><name>shop_vm-a</name><devices>
  <disk type='file'><source file='/srv/a/one.img'/><target dev='vda'/></disk>
  <disk type='file'><source file='/srv/a/two.img'/><target dev='vdb'/></disk>
</devices></domain>`
	facts := Facts{Paths: []PathFact{{"/srv/a/one.img", "/srv/b/disk.img"}, {"/srv/a/two.img", "/srv/b/disk.img"}}}
	dest := strings.NewReplacer("/srv/a/one.img", "/srv/b/disk.img", "/srv/a/two.img", "/srv/b/disk.img").Replace(doc)
	var abi *ABIError
	err := Verify([]byte(doc), []byte(dest), facts)
	require.ErrorAs(t, err, &abi)
	require.ErrorContains(t, err, `"/srv/a/two.img" becomes "/srv/b/disk.img", and so does "/srv/a/one.img" of disk vda`)
	_, err = NewPlan([]byte(doc), facts, Options{})
	var fact *FactError
	require.ErrorAs(t, err, &fact)
}
