package migrate

import (
	"sync"

	"github.com/migxml/migxml/migrate/internal/xmledit"
)

// workspace is the memory that one plan works in and nobody keeps. The next plan
// gets it: taking fresh memory would be much of what a plan costs.
type workspace struct {
	reader  xmledit.Reader
	hits    []hit
	devices []hitDevice
	edits   []Edit  // as the rules gave them; the plan gets a copy in order
	order   []int32 // of hits by their new values
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

func takeWorkspace() *workspace { return workspaces.Get().(*workspace) }

// largestKept bounds the documents, in bytes, whose workspace is worth keeping.
const largestKept = 1 << 20

// giveBack empties the workspace for the next plan, so that it holds on to nothing of
// this one's document. size is that document's, in bytes.
func (w *workspace) giveBack(size int) {
	if size > largestKept {
		return
	}
	clear(w.hits)
	clear(w.devices)
	clear(w.edits)
	w.hits, w.devices, w.edits = w.hits[:0], w.devices[:0], w.edits[:0]
	workspaces.Put(w)
}

// checkDomain is parseDomain for who only wants to know.
func checkDomain(data []byte, which string) error {
	w := takeWorkspace()
	defer w.giveBack(len(data))
	_, err := parseDomain(&w.reader, data, which)
	return err
}
