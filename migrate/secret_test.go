package migrate

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// Passwords stand in migratable XML, and no report may show them.
func TestSecretsAreNotShown(t *testing.T) {
	const doc = `<domain xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>
  <name>shop_vm-a</name>
  <devices>
    <graphics type='vnc' passwd='/srv/a/Secret'/>
    <disk type='network'><source protocol='https'><cookies><cookie name='c'>/srv/a/Secret</cookie></cookies></source></disk>
  </devices>
  <qemu:commandline>
    <qemu:arg value='secret,id=s,data=Secret,file=/srv/a/x'/>
    <qemu:arg value='secret,id=s,data=Secret,file=/srv/unknown'/>
    <qemu:env name='TOKEN' value='Secret:/srv/a'/>
  </qemu:commandline>
</domain>`
	facts := Facts{Paths: []PathFact{{"/srv/a", "/srv/b"}}}
	plan, dest := planned(t, []byte(doc), facts)
	require.Len(t, plan.Edits, 2)
	for _, e := range plan.Edits {
		require.NotContains(t, e.Old+e.New+e.Reason, "Secret")
	}
	kept, err := json.Marshal(plan.Kept)
	require.NoError(t, err)
	require.NotContains(t, string(kept), "Secret")
	diffs, err := Compare([]byte(doc), dest, facts, Options{})
	require.NoError(t, err)
	shown, err := json.Marshal(diffs)
	require.NoError(t, err)
	require.NotContains(t, string(shown), "Secret")

	_, err = NewPlan([]byte(doc), facts, Options{Strict: true})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "Secret")
}
