package migrate

import (
	"encoding/json"
	"fmt"
	"strings"
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

// Nor may what is refused: a lost edit, an argument that changed, a path that the
// target does not have.
func TestSecretsAreNotShownInRefusals(t *testing.T) {
	const doc = `<domain xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>
  <name>shop_vm-a</name>
  <devices><graphics type='vnc' passwd='Secret'/></devices>
  <qemu:commandline>
    <qemu:arg value='secret,id=s,data=Secret,file=/srv/a/x'/>
    <qemu:arg value='secret,id=t,data=Secret,file=/srv/keep/x'/>
    <qemu:env name='TOKEN' value='Secret'/>
  </qemu:commandline>
</domain>`
	facts := Facts{Paths: []PathFact{{"/srv/a", "/srv/b"}, {"/srv/keep", "/srv/keep"}}}
	_, dest := planned(t, []byte(doc), facts)
	for _, test := range []struct{ reason, old, new string }{
		{"a lost edit", "/srv/b/x", "/srv/a/x"},
		{"an edit to another path", "/srv/b/x", "/srv/c/x"},
		{"another word of the argument", "id=s", "id=r"},
		{"another secret", "data=Secret,file=/srv/keep", "data=Secret2,file=/srv/keep"},
		{"another variable", "value='Secret'", "value='Secret2'"},
		{"a variable with a source path", "value='Secret'", "value='Secret:/srv/a/y'"},
		{"an argument that is gone", "    <qemu:arg value='secret,id=t,data=Secret,file=/srv/keep/x'/>\n", ""},
	} {
		wrong := strings.Replace(string(dest), test.old, test.new, 1)
		require.NotEqual(t, string(dest), wrong, test.reason)
		err := Verify([]byte(doc), []byte(wrong), facts)
		require.Error(t, err, test.reason)
		require.NotContains(t, fmt.Sprintf("%v %+v", err, causes(err)), "Secret", test.reason)
	}
}
