package migrate

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests here are named after the numbers of faults that users of such
// systems met, so that none of them comes back.

const twoDisks = `<domain type='kvm'>
  <name>shop_vm-a</name>
  <devices>
    <disk type='file' device='disk'>
      <driver name='qemu' type='raw' cache='writeback' io='threads' error_policy='stop' discard='unmap' iothread='2'/>
      <source file='/srv/one/disk.img'/>
      <target dev='vda' bus='virtio'/>
      <serial>S-1</serial>
      <boot order='1'/>
      <alias name='ua-one'/>
      <address type='pci' domain='0x0000' bus='0x07' slot='0x00' function='0x0'/>
    </disk>
    <disk type='file' device='disk'>
      <driver name='qemu' type='raw' cache='writeback' io='threads' error_policy='stop' discard='unmap' iothread='2'/>
      <source file='/srv/two/disk.img'/>
      <target dev='vdb' bus='virtio'/>
      <wwn>5000c50015ea71ad</wwn>
      <boot order='4'/>
      <alias name='ua-two'/>
      <address type='pci' domain='0x0000' bus='0x08' slot='0x00' function='0x0'/>
    </disk>
  </devices>
</domain>
`

// 12: changing a source must not move the device.
// 17: the settings of the driver survive.
func TestCase12And17OnlyTheSourceChanges(t *testing.T) {
	facts := Facts{Paths: []PathFact{{"/srv/two", "/srv/new"}}}
	_, dest := planned(t, []byte(twoDisks), facts)
	require.Equal(t, strings.Replace(twoDisks, "/srv/two/", "/srv/new/", 1), string(dest))
}

// 14: another namespace is a component of one path, never a text; equal names
// change nothing.
func TestCase14NamespaceIsNoText(t *testing.T) {
	const doc = `<domain type='kvm'>
  <name>nsa_vm</name>
  <metadata><v:n xmlns:v='urn:v'>/x/nsa/vm/</v:n></metadata>
  <devices>
    <disk type='file' device='disk'>
      <source file='/var/run/kubevirt-ephemeral-disks/cloud-init-data/nsa/vm/noCloud.iso'/>
      <target dev='vda' bus='virtio'/>
      <serial>nsa/vm</serial>
    </disk>
    <disk type='file' device='disk'><source file='/srv/nsa/vm/disk.img'/><target dev='vdb' bus='virtio'/></disk>
  </devices>
</domain>`
	_, dest := planned(t, []byte(doc), Facts{Target: TargetFacts{Namespace: "nsb"}})
	require.Equal(t, strings.Replace(doc, "cloud-init-data/nsa/", "cloud-init-data/nsb/", 1), string(dest))

	_, dest = planned(t, []byte(doc), Facts{Target: TargetFacts{Namespace: "nsa", Name: "vm"}})
	require.Equal(t, doc, string(dest))
}

// 15: the running and the stored definition are planned with the same facts,
// each by itself, and agree wherever both have the place.
func TestCase15RunningAndStored(t *testing.T) {
	stored := strings.Replace(twoDisks, "cache='writeback'", "cache='none'", 1)
	facts := Facts{Paths: []PathFact{{"/srv/one", "/srv/1"}, {"/srv/two", "/srv/2"}}}
	live, liveDest := planned(t, []byte(twoDisks), facts)
	persistent, storedDest := planned(t, []byte(stored), facts)
	require.Len(t, persistent.Edits, len(live.Edits))
	for i := range live.Edits {
		require.Equal(t, live.Edits[i].New, persistent.Edits[i].New)
	}
	require.NotContains(t, string(liveDest)+string(storedDest), "/srv/one")
}

// 16: KubeVirt's metadata goes, the other vendor's block stays to the byte.
func TestCase16Metadata(t *testing.T) {
	const kubevirt = `<kubevirt xmlns='http://kubevirt.io'><uid>u1</uid><migration><uid>m1</uid></migration></kubevirt>`
	const note = `<v:note xmlns:v='urn:vendor'  a = "b">keep</v:note>`
	doc := "<domain type='kvm'>\n  <name>shop_vm-a</name>\n  <metadata>\n    " + kubevirt + "\n    " + note + "\n  </metadata>\n</domain>\n"
	_, dest := planned(t, []byte(doc), Facts{})
	require.Equal(t, strings.Replace(doc, "    "+kubevirt+"\n", "", 1), string(dest))

	alone := strings.Replace(doc, "    "+note+"\n", "", 1)
	_, dest = planned(t, []byte(alone), Facts{})
	require.Equal(t, "<domain type='kvm'>\n  <name>shop_vm-a</name>\n</domain>\n", string(dest))
}

// 20: the versioned machine type is kept; a target without it is refused.
func TestCase20MachineType(t *testing.T) {
	doc := []byte(`<domain type='kvm'><name>a_b</name><os><type machine='pc-q35-rhel8.2.0'>hvm</type></os></domain>`)
	_, err := NewPlan(doc, Facts{Target: TargetFacts{Machines: []string{"pc-q35-rhel9.4.0", "q35"}}}, Options{})
	var missing *FactError
	require.ErrorAs(t, err, &missing)
	require.ErrorContains(t, err, "pc-q35-rhel8.2.0")
	require.ErrorContains(t, err, "pc-q35-rhel9.4.0")
	_, dest := planned(t, doc, Facts{Target: TargetFacts{Machines: []string{"pc-q35-rhel8.2.0"}}})
	require.Equal(t, doc, dest)
}

// 22: all obstacles at once, in a stable order.
func TestCase22AllObstaclesAtOnce(t *testing.T) {
	source, _ := kubevirt(t)
	facts := Facts{
		Policy: Policy{Strict: true},
		Target: TargetFacts{Machines: []string{"q35"}},
	}
	_, first := NewPlan(source, facts, Options{})
	require.Greater(t, len(causes(first)), 15)
	for range 5 {
		_, again := NewPlan(source, facts, Options{})
		require.EqualError(t, again, first.Error())
	}
	for _, e := range causes(first) {
		var fact *FactError
		require.ErrorAs(t, e, &fact)
		require.NotZero(t, fact.Line)
		require.NotEmpty(t, fact.Path)
		require.NotEmpty(t, fact.Fact)
	}
}

// 23: a difference that means something, and none where nothing differs.
func TestCase23Differences(t *testing.T) {
	noise := strings.NewReplacer("<disk type='file' device='disk'>", `<disk  device="disk" type="file">`, "'", `"`, "\n", "", "  ", " ", "<boot order='1'/>", "<boot order='1'></boot>").Replace(twoDisks)
	require.NotEqual(t, twoDisks, noise)
	diffs, err := Compare([]byte(twoDisks), []byte(noise), Facts{}, Options{})
	require.NoError(t, err)
	require.Empty(t, diffs)

	other := strings.Replace(noise, "/srv/two/", "/srv/new/", 1)
	diffs, err = Compare([]byte(twoDisks), []byte(other), Facts{Paths: []PathFact{{"/srv/two", "/srv/new"}}}, Options{})
	require.NoError(t, err)
	require.Equal(t, []Difference{{
		Device: "disk vdb (two)", Path: "/domain/devices/disk[2]/source/@file",
		Source: "/srv/two/disk.img", Dest: "/srv/new/disk.img", Legal: true,
		Reason: "rule paths: /srv/two -> /srv/new",
	}}, diffs)
}

// 24: the same input gives the same bytes, and the caller's input stays.
func TestCase24SameInputSameBytes(t *testing.T) {
	source, facts := kubevirt(t)
	kept := bytes.Clone(source)
	_, first := planned(t, source, facts)
	for range 10 {
		_, again := planned(t, source, facts)
		require.Equal(t, first, again)
	}
	require.Equal(t, kept, source)
}

// The rules on their own output change nothing, with the same facts.
func TestRulesAreIdempotent(t *testing.T) {
	source, facts := kubevirt(t)
	_, once := planned(t, source, facts)
	plan, twice := planned(t, once, facts)
	require.Empty(t, plan.Edits)
	require.Equal(t, once, twice)
}
