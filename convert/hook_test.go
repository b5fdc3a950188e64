package convert

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	v1 "kubevirt.io/api/core/v1"
)

const hookVMI = `apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: vm-a, namespace: shop, uid: 3d2c1b0a-7f60-4f6e-9b1d-2f4c6a8e0b12}
spec:
  domain:
    memory: {guest: 512Mi}
    devices:
      interfaces: [{name: default, masquerade: {}}]
      disks: [{name: root, disk: {bus: virtio}}, {name: data, disk: {bus: virtio}}]
  networks: [{name: default, pod: {}}]
  volumes:
  - {name: root, persistentVolumeClaim: {claimName: root}}
  - {name: data, persistentVolumeClaim: {claimName: data}}
`

func explainHook(t *testing.T) (*Explanation, string, string) {
	t.Helper()
	c := testCase{parts: map[string]string{"vmi.yaml": hookVMI, "context.yaml": benchContext}}
	vmi, ctx := c.vmi(t), c.context(t)
	e, err := Explain(vmi, ctx)
	require.NoError(t, err)
	vmiJSON, text, err := HookInput(&e.Result, vmi, ctx)
	require.NoError(t, err)
	return e, vmiJSON, text
}

func TestHookInput(t *testing.T) {
	e, vmiJSON, text := explainHook(t)
	var vmi v1.VirtualMachineInstance
	require.NoError(t, json.Unmarshal([]byte(vmiJSON), &vmi))
	assert.Equal(t, "q35", vmi.Spec.Domain.Machine.Type, "hooks see the defaulted VMI")
	assert.Contains(t, text, "\n\t\t<baseBoard></baseBoard>\n", "published hooks replace this text")
	assert.True(t, strings.HasPrefix(text, `<domain xmlns:qemu="http://libvirt.org/schemas/domain/qemu/1.0"`))
	assert.NotContains(t, text, "  <")

	require.NoError(t, e.Hook("nothing", text+"\n"))
	assert.NotContains(t, HookOutput(text), "baseBoard", "what no hook used is taken away again")
	for _, c := range e.Causes {
		assert.NotContains(t, string(c.Origin), "hook", c.Path)
	}
	for _, a := range e.Absent {
		assert.NotContains(t, a.Reason, "hook", a.Path)
	}
}

func TestHookChanges(t *testing.T) {
	e, _, text := explainHook(t)
	before := len(e.Causes)
	// A board name, a new first disk, another cache mode, a NIC without its ROM.
	text = strings.Replace(text, "<baseBoard></baseBoard>", `<baseBoard><entry name="manufacturer">Acme</entry></baseBoard>`, 1)
	text = strings.Replace(text, "<disk ", `<disk type="file" device="cdrom"><target dev="sda" bus="sata"></target></disk><disk `, 1)
	text = strings.Replace(text, `discard="unmap"`, `discard="ignore" cache="none"`, 1)
	text = strings.Replace(text, `<rom enabled="no"></rom>`, "", 1)
	require.NoError(t, e.Hook("board", text))

	one := func(path string) Cause {
		t.Helper()
		list := e.Why(path)
		require.Len(t, list, 1, path)
		return list[0]
	}
	board := one("/domain/sysinfo/baseBoard/entry/text()")
	assert.Equal(t, Origin("hook board"), board.Origin)
	assert.Equal(t, "Acme", board.Value)
	assert.Equal(t, "the hook added it", board.Reason)
	assert.Equal(t, Origin("hook board"), one("devices/disk[1]/target/@dev").Origin)
	assert.Equal(t, Origin("hook board"), one("devices/disk[2]/driver/@cache").Origin)
	changed := one("devices/disk[2]/driver/@discard")
	assert.Equal(t, `the hook changed it from "unmap"`, changed.Reason)

	kept := one("devices/disk[3]/target/@dev")
	assert.Equal(t, "vdb", kept.Value, "the second disk is the third now")
	assert.NotContains(t, string(kept.Origin), "hook")
	require.Equal(t, Absent{Path: "/domain/devices/interface/rom/@enabled", Reason: `hook board removed it; it was "no"`}, e.Absent[len(e.Absent)-1])
	assert.Equal(t, before+2+5-1, len(e.Causes), "entry's name and text; the CD-ROM's four and the cache mode; the ROM is gone")

	// The next hook sees the work of the one before as its own start.
	require.NoError(t, e.Hook("second", strings.Replace(text, "Acme", "Emca", 1)))
	assert.Equal(t, Origin("hook second"), one("/domain/sysinfo/baseBoard/entry/text()").Origin)
	assert.Equal(t, Origin("hook board"), one("devices/disk[1]/target/@dev").Origin)
	got, err := e.XML()
	require.NoError(t, err)
	assert.Contains(t, got, "Emca")
	assert.NotContains(t, got, "<bios>")
}

func TestHookAnswersThatAreNoDomain(t *testing.T) {
	for _, c := range []struct{ reason, answer, want string }{
		{"nothing at all", "", "hook board: its answer is no XML: want one element that holds everything"},
		{"a word printed before the document", "hello <domain/>", "hook board: its answer is no XML: want one element that holds everything: hello <domain/>"},
		{"not closed", "<domain><devices>", "hook board: its answer is no XML: <devices> is not closed: <domain><devices>"},
		{"crossed tags", "<domain><a></domain></a>", "hook board: its answer is no XML: line 1: </domain> closes nothing: <domain><a></domain></a>"},
		{"another document", "<network/>", "hook board: its answer is a <network>, want a <domain>"},
		{"two documents", "<domain/><domain/>", "hook board: its answer is no XML: want one element that holds everything: <domain/><domain/>"},
		{"memory that is no number", "<domain><memory>much</memory></domain>", `hook board: its answer is no domain: strconv.ParseUint: parsing "much": invalid syntax`},
		{"too deep", strings.Repeat("<domain>", 100), "hook board: its answer is no XML: nested deeper than 64 levels: " + strings.Repeat("<domain>", 10) + "…"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			e, _, _ := explainHook(t)
			err := e.Hook("board", c.answer)
			var he *HookError
			require.ErrorAs(t, err, &he)
			assert.Equal(t, c.want, err.Error())
		})
	}
}

// TestScanAgreesWithParser holds the fast reader of our own XML to the real one.
func TestScanAgreesWithParser(t *testing.T) {
	for _, c := range cases(t) {
		r, err := VMI(c.vmi(t), c.context(t))
		if err != nil {
			continue
		}
		text, err := r.XML()
		require.NoError(t, err)
		fast, err := scanXML(text)
		require.NoError(t, err)
		slow, err := parseXML(text)
		require.NoError(t, err)
		assert.Equal(t, slow, fast, c.name)
	}
}
