package migrate

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFactsOfIdentity(t *testing.T) {
	const doc = "<domain>\n  <name>shop_vm-a</name>\n</domain>"
	tests := []struct {
		name   string
		facts  Facts
		want   string
		reason string
	}{
		{"source from the name", Facts{Target: TargetFacts{Namespace: "dr"}}, "", "the name says namespace and name"},
		{"source given too", Facts{Source: SourceFacts{Namespace: "shop", Name: "vm-a"}, Target: TargetFacts{Name: "vm-b"}}, "", "the two agree"},
		{"in the target's hook", Facts{Source: SourceFacts{Namespace: "old", Name: "vm-0"}, Target: TargetFacts{Namespace: "shop", Name: "vm-a"}}, "", "the document bears the new name there"},
		{"mistyped source", Facts{Source: SourceFacts{Namespace: "shpo"}, Target: TargetFacts{Namespace: "dr"}}, `/domain/name (line 2 column 3): the domain's name is "shop_vm-a", but the facts call the source shpo/vm-a`, "its paths would survive"},
		{"mistyped source alone", Facts{Source: SourceFacts{Name: "vm-b"}}, `the domain's name is "shop_vm-a", but the facts call the source shop/vm-b`, "the facts are of another guest"},
		{"target no name", Facts{Target: TargetFacts{Name: "UPPER x"}}, `"UPPER x" is no name that Kubernetes gives`, "it becomes the domain's name and parts of paths"},
		{"target no namespace", Facts{Target: TargetFacts{Namespace: "a_b"}}, `"a_b" is no name that Kubernetes gives`, "our own reader could not take it apart again"},
		{"traversal", Facts{Target: TargetFacts{Name: ".."}}, `".." is no name`, "it becomes a component of paths"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewPlan([]byte(doc), tt.facts, Options{})
			if tt.want == "" {
				require.NoError(t, err, tt.reason)
				return
			}
			require.ErrorContains(t, err, tt.want, tt.reason)
		})
	}
}

// A UID that is not the guest's would leave its sockets where they are, in silence.
func TestSourceUIDIsTheGuests(t *testing.T) {
	const doc = "<domain><name>shop_vm-a</name><metadata><x xmlns='urn:x'/><kubevirt xmlns='http://kubevirt.io'><uid> u1 </uid></kubevirt></metadata></domain>"
	for _, tt := range []struct{ reason, source, target, want string }{
		{"it is", "u1", "u2", ""},
		{"in the target's hook", "u0", "u1", ""},
		{"nobody says", "", "", ""},
		{"it is not", "u3", "u2", `KubeVirt's metadata in the document says that the guest's UID is "u1", the facts say "u3"`},
		{"case matters in a path", "U1", "u2", `the facts say "U1"`},
	} {
		_, err := NewPlan([]byte(doc), Facts{Source: SourceFacts{UID: tt.source}, Target: TargetFacts{UID: tt.target}}, Options{})
		if tt.want == "" {
			require.NoError(t, err, tt.reason)
			continue
		}
		require.ErrorContains(t, err, tt.want, tt.reason)
	}
}

// In a pod /var/run is a link to /run; both spellings of a pod path are the pod's.
func TestIdentityKnowsBothSpellingsOfRun(t *testing.T) {
	const doc = `<domain><name>shop_vm-a</name><devices>
<disk><source file='/run/kubevirt-ephemeral-disks/cloud-init-data/shop/vm-a/noCloud.iso'/></disk>
<graphics type='vnc' socket='/run/kubevirt-private/u1/virt-vnc'/></devices></domain>`
	_, dest := planned(t, []byte(doc), Facts{Source: SourceFacts{UID: "u1"}, Target: TargetFacts{Namespace: "dr", UID: "u2"}})
	require.Contains(t, string(dest), "'/run/kubevirt-ephemeral-disks/cloud-init-data/dr/vm-a/noCloud.iso'")
	require.Contains(t, string(dest), "'/run/kubevirt-private/u2/virt-vnc'")
}

func TestSameGuest(t *testing.T) {
	const doc = "<domain><name>a_b</name><uuid>5F3C6E1A-9d2b-4c77-8a11-0c2d3e4f5a6b</uuid></domain>"
	require.NoError(t, SameGuest([]byte(doc), []byte("<domain><uuid>5f3c6e1a-9d2b-4c77-8a11-0c2d3e4f5a6b</uuid><name>a_b</name></domain>")))
	err := SameGuest([]byte(doc), []byte("<domain><name>other</name><uuid>6f3c6e1a-9d2b-4c77-8a11-0c2d3e4f5a6b</uuid></domain>"))
	require.ErrorContains(t, err, "/domain/name: source has a_b, destination has other")
	require.ErrorContains(t, err, "/domain/uuid")
}
