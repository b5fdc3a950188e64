package migrate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseFacts(t *testing.T) {
	facts, err := ParseFacts("target.yaml", []byte(`
source: {namespace: shop, name: vm-a, uid: 3d2c1b0a-7f60-4f6e-9b1d-2f4c6a8e0b12, libvirt: 9.0.0, qemu: 7.2.22}
target: {namespace: shop-dr, name: "123", uid: 8e1f, machines: [pc-q35-7.2, q35]}
migration: {id: 6f3a, collectedAt: "2026-11-29T10:00:00Z"}
policy: {strict: true, side: {source: [all], target: [paths]}}
paths:
- {from: /srv/pods/a, to: /srv/pods/b}
roots: {ephemeral: /run/ephemeral}
`))
	require.NoError(t, err)
	require.Equal(t, "vm-a", facts.Source.Name)
	require.Equal(t, "9.0.0", facts.Source.Libvirt, "a version is a text, whatever YAML takes it for")
	require.Equal(t, "123", facts.Target.Name)
	require.Equal(t, []string{"pc-q35-7.2", "q35"}, facts.Target.Machines)
	require.Equal(t, []PathFact{{"/srv/pods/a", "/srv/pods/b"}}, facts.Paths)
	require.True(t, facts.Policy.Strict)
	require.Equal(t, SidePolicy{Source: []string{"all"}, Target: []string{"paths"}}, facts.Policy.Side)
	require.Equal(t, "/run/ephemeral", facts.Roots.Ephemeral)
}

func TestParseFactsRefuses(t *testing.T) {
	tests := []struct{ name, yaml, want, reason string }{
		{"unknown key", "target:\n  nmae: x\n", "t.yaml:2:3: target.nmae: unknown key, want one of libvirt, machines, name, namespace, qemu, uid", "a misspelt fact must not be ignored"},
		{"unknown section", "pahts: []\n", "t.yaml:1:1: pahts: unknown key, want one of migration, paths, policy, roots, source, target", "as above, at the top"},
		{"later section", "cpu: {emulator: 1}\n", "t.yaml:1:1: cpu: no rule of this version uses this fact, so it is refused rather than ignored", "a fact without a rule would promise a change that nobody makes"},
		{"duplicate key", "source: {uid: a}\nsource: {uid: b}\n", "t.yaml:2:1: source: duplicate key, first on line 1", "YAML libraries take the last in silence"},
		{"alias", "source: &a {uid: x}\ntarget: *a\n", "anchors and aliases are not allowed", "an alias can make a small file huge"},
		{"not a mapping", "[]\n", "t.yaml:1:1: a list found, want a mapping with the keys", "the shape is said"},
		{"empty text", "target: {name: ''}\n", `t.yaml:1:16: target.name: empty text found, want a value; leave the key out when it is unknown`, "an empty name is no name"},
		{"null", "target: {name: }\n", "t.yaml:1:16: target.name: nothing found, want a text", "a forgotten value"},
		{"flag", "policy: {strict: perhaps}\n", `t.yaml:1:18: policy.strict: "perhaps" found, want true or false`, "only true and false are flags"},
		{"path without to", "paths: [{from: /a}]\n", `t.yaml:1:9: paths[0]: from "/a", to "": want both`, "half an entry"},
		{"path key", "paths: [{from: /a, to: /b, too: /c}]\n", "t.yaml:1:28: paths[0].too: unknown key, want one of from, to", "entries are strict too"},
		{"paths contradict", "paths: [{from: /a, to: /b}, {from: /a, to: /c}]\n", `t.yaml:1:29: paths from /a: "/c" contradicts "/b" at t.yaml:1:9`, "one path cannot lead to two places"},
		{"relative path", "paths: [{from: rel, to: /b/../c}]\n", `t.yaml:1:9: paths[0]: from: path "rel": relative; want an absolute path; to: path "/b/../c": contains ".."`, "both sides are looked at, where they stand"},
		{"namespace", "target:\n  namespace: ../etc\n", `t.yaml:2:14: target.namespace: "../etc" is no name that Kubernetes gives: want at most 63 lower-case letters, digits and hyphens`, "it becomes a component of paths"},
		{"name", "source: {name: vm_a}\n", `t.yaml:1:16: source.name: "vm_a" is no name that Kubernetes gives: want at most 253 lower-case letters, digits, hyphens and dots`, "as above"},
		{"syntax", "source: {uid: a\n", "t.yaml:1:1: not YAML:", "the library's words, with a line"},
		{"two documents", "source: {}\n---\ntarget: {}\n", "t.yaml:1:1: more than one YAML document, want one", "the second would be ignored"},
		{"huge", strings.Repeat("# x\n", 3<<20), "the limit is", "bounded memory"},
		{"tag", "source: {uid: !!binary YQ==}\n", "t.yaml:1:15: source.uid: the tag !!binary is not allowed", "a tag would be another value than what is read"},
		{"binary", "source: {uid: \"\x00\"}", "not YAML", "control characters are no YAML"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseFacts("t.yaml", []byte(tt.yaml))
			require.ErrorContains(t, err, tt.want, tt.reason)
			var file *FactsFileError
			require.ErrorAs(t, err, &file)
			require.Equal(t, "t.yaml", file.File)
		})
	}
}

func TestParseFactsMergesFiles(t *testing.T) {
	a := FactsFile{"a.yaml", []byte("source: {uid: u1}\npaths: [{from: /a, to: /b}]\n")}
	b := FactsFile{"b.yaml", []byte("source: {uid: u1}\ntarget: {uid: u2}\npaths: [{from: /c, to: /d}, {from: /a, to: /b}]\n")}
	facts, err := ParseFactsFiles(a, b)
	require.NoError(t, err)
	require.Equal(t, "u1", facts.Source.UID)
	require.Equal(t, "u2", facts.Target.UID)
	require.Equal(t, []PathFact{{"/a", "/b"}, {"/c", "/d"}, {"/a", "/b"}}, facts.Paths, "an entry given twice is the same entry")

	c := FactsFile{"c.yaml", []byte("source:\n  uid: other\n")}
	_, err = ParseFactsFiles(a, c)
	require.EqualError(t, err, `c.yaml:2:8: source.uid: "other" contradicts "u1" at a.yaml:1:15`)
}

func TestParseFactsReportsEveryFault(t *testing.T) {
	_, err := ParseFacts("t.yaml", []byte("sourc: {}\ntarget: {nam: x}\npaths: [{from: /a}]\n"))
	require.Len(t, causes(err), 3)
}

func TestSidePolicy(t *testing.T) {
	tests := []struct {
		name   string
		policy SidePolicy
		want   string
		reason string
	}{
		{"empty", SidePolicy{}, "", "without a policy each side may run all"},
		{"all on one side", SidePolicy{Source: []string{"all"}}, "", "the target runs none"},
		{"split", SidePolicy{Source: []string{"all"}, Target: []string{"ID-3"}}, "", "all stands for the rest"},
		{"unknown", SidePolicy{Source: []string{"all", "X-1"}}, `source names the rule "X-1", which does not exist`, "a misspelt rule would run nowhere"},
		{"twice", SidePolicy{Source: []string{"all", "ID-3"}, Target: []string{"ID-3"}}, "rule ID-3 stands twice", "a rule that runs on both sides runs twice"},
		{"nowhere", SidePolicy{Source: []string{"ID-3"}}, "on neither side; each rule runs exactly once, so give one side all", "a rule that runs on neither side never runs"},
		{"all twice", SidePolicy{Source: []string{"all"}, Target: []string{"all"}}, "all stands on both sides", "the rest cannot run on both"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.policy.rules(SideSource)
			if tt.want == "" {
				require.NoError(t, err, tt.reason)
				return
			}
			require.ErrorContains(t, err, tt.want, tt.reason)
		})
	}
}

func FuzzParseFacts(f *testing.F) {
	f.Add([]byte("source: {uid: a}\npaths: [{from: /a, to: /b}]\n"))
	f.Add([]byte("policy: {side: {source: [all]}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := ParseFacts("t.yaml", data)
		if err != nil {
			require.NotEmpty(t, err.Error())
		}
	})
}
