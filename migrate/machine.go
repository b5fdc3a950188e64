package migrate

import (
	"fmt"
	"slices"
	"strings"
)

// checkMachine is F-6: the versioned machine type of the running guest stays,
// and a target whose QEMU does not have it is refused before anything starts.
func checkMachine(p *planner) {
	machine := p.doc.Root().Child("os").Child("type").Attr("machine")
	have := p.facts.Target.Machines
	if len(have) == 0 || !machine.Exists() || slices.Contains(have, machine.Value()) {
		return
	}
	p.refuse("F-6", "target.machines", machine.Element(), machine.Path(), machine.Span().Start,
		fmt.Sprintf("the guest runs on machine type %s, the target has only %s", quoteShort(machine.Value()), strings.Join(have, ", ")))
}
