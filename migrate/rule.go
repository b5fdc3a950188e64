package migrate

// Side says on which side of the migration a rule runs, or whose rules a plan
// runs: the source pod before the call, the target pod's libvirt hook, or both.
type Side int

// The zero Side is both: all rules in one plan.
const (
	SideBoth Side = iota
	SideSource
	SideTarget
)

func (s Side) String() string {
	switch s {
	case SideSource:
		return "source"
	case SideTarget:
		return "target"
	}
	return "both"
}

// Rule is one reason to change a document. The set is closed: Rules lists it.
type Rule struct {
	// Name as in the rule catalogue, and in policy.side of the facts.
	Name string
	// Side on which the rule can run.
	Side Side
	// Needs names the facts that switch the rule on; "" for a rule that
	// always runs.
	Needs string
	// Doc says what the rule does, in a sentence.
	Doc string

	run func(*planner)
}

// Rules returns every rule in the order in which they run. Where two rules
// speak for one place the later one in this list has the say, because its
// facts are the more particular ones.
func Rules() []Rule { return append([]Rule(nil), rules...) }

// The list of rules, in order. A rule that follows later takes its place here.
var rules = []Rule{
	{"ID-6", SideBoth, "", "removes the id of the running domain, which belongs to the source's libvirt", removeDomainID},
	{"ID-5", SideBoth, "", "removes KubeVirt's own metadata, which describes the source; every other metadata stays to the byte", removeKubeVirtMetadata},
	{"F-6", SideBoth, "target.machines", "refuses a machine type that the target does not have; never changes it", checkMachine},
	{"ID-3", SideBoth, "source.uid, target.uid", "maps the directory of sockets and logs, named by the VMI's UID, to the target's", mapUID},
	{"D-3", SideBoth, "target.namespace", "maps generated images, which lie below namespace and name, to the target's namespace", mapNamespace},
	{"D-3a", SideBoth, "target.name", "maps generated images, which lie below namespace and name, to the target's name", mapName},
	{"F-2", SideBoth, "target.name", "maps the firmware variables file, which is named after the VMI, to the target's name", mapVariables},
	{"paths", SideBoth, "paths", "maps every host path and socket by the longest entry that covers it", mapPaths},
}

// ruleNamed finds a rule by name.
func ruleNamed(name string) (*Rule, bool) {
	for i := range rules {
		if rules[i].Name == name {
			return &rules[i], true
		}
	}
	return nil, false
}
