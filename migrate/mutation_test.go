package migrate

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/beevik/etree"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// Dropping any edit must be seen by the verifier, which never sees the edits.
func TestVerifySeesEveryDroppedEdit(t *testing.T) {
	source, facts := kubevirt(t)
	plan, _ := planned(t, source, facts)
	require.Greater(t, len(plan.Edits), 10)
	for i, e := range plan.Edits {
		left := slices.Delete(slices.Clone(plan.Edits), i, i+1)
		dest, err := Splice(source, left)
		require.NoError(t, err)
		require.Error(t, Verify(source, dest, facts), "dropped: %s %s", e.Rule, e.Path)
	}
}

// Swapping the new values of any two edits of paths must be seen, and so must
// writing one's value into the other's place.
func TestVerifySeesEverySwap(t *testing.T) {
	source, facts := kubevirt(t)
	plan, _ := planned(t, source, facts)
	swaps := 0
	for i := range plan.Edits {
		for j := range plan.Edits {
			a, b := plan.Edits[i], plan.Edits[j]
			if a.After == "" || b.After == "" || a.After == b.After {
				continue
			}
			copied := slices.Clone(plan.Edits)
			copied[i].After = b.After
			dest, err := Splice(source, copied)
			require.NoError(t, err)
			require.Error(t, Verify(source, dest, facts), "%s got the value of %s", a.Path, b.Path)
			copied[j].After = a.After
			dest, err = Splice(source, copied)
			require.NoError(t, err)
			require.Error(t, Verify(source, dest, facts), "%s and %s swapped", a.Path, b.Path)
			swaps++
		}
	}
	require.Greater(t, swaps, 50)
}

// Changing or removing any leaf of the destination must be seen, except for
// those that the golden file lists: the host's business, reviewed by hand.
func TestVerifySeesEveryChangedLeaf(t *testing.T) {
	source, facts := kubevirt(t)
	_, dest := planned(t, source, facts)
	var unseen []string
	count := mutateLeaves(t, dest, func(what string, mutated []byte) {
		if Verify(source, mutated, facts) == nil {
			unseen = append(unseen, what)
		}
	})
	require.Greater(t, count, 500)
	golden(t, "testdata/unseen-mutations.txt", strings.Join(unseen, "\n")+"\n")
}

// golden compares with a file, or rewrites it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", file, diff)
	}
}

// mutateLeaves calls try with every document in which one leaf of doc differs:
// an attribute or text changed, an attribute or element removed, an element
// doubled. It returns how many there were.
func mutateLeaves(t *testing.T, doc []byte, try func(what string, mutated []byte)) int {
	t.Helper()
	tree := etree.NewDocument()
	require.NoError(t, tree.ReadFromBytes(doc))
	count := 0
	emit := func(what string, e *etree.Element) {
		out, err := tree.WriteToBytes()
		require.NoError(t, err)
		count++
		try(what, out)
	}
	var walk func(e *etree.Element)
	walk = func(e *etree.Element) {
		at := spot{e: e}.path(indexes{})
		for i := range e.Attr {
			if isDeclaration(&e.Attr[i]) {
				continue
			}
			old := e.Attr[i]
			e.Attr[i].Value = changed(old.Value)
			emit("change "+at+"/@"+old.FullKey(), e)
			e.Attr[i] = old
			attrs := e.Attr
			e.Attr = slices.Delete(slices.Clone(attrs), i, i+1)
			emit("remove "+at+"/@"+old.FullKey(), e)
			e.Attr = attrs
		}
		if text := elementText(e); text != "" {
			for _, c := range e.Child {
				if data, ok := c.(*etree.CharData); ok {
					old := data.Data
					data.Data = changed(old)
					emit("change "+at+"/text()", e)
					data.Data = old
					break
				}
			}
		}
		for _, c := range e.ChildElements() {
			if !isRoot(c) {
				parent, index := c.Parent(), c.Index()
				parent.RemoveChildAt(index)
				emit("remove "+at+"/"+c.FullTag()+fmt.Sprintf("[%d]", index), e)
				parent.InsertChildAt(index, c)
				twin := c.Copy()
				parent.InsertChildAt(index, twin)
				emit("double "+at+"/"+c.FullTag()+fmt.Sprintf("[%d]", index), e)
				parent.RemoveChild(twin)
			}
			walk(c)
		}
	}
	walk(tree.Root())
	return count
}

// changed makes another value that could stand in the same place.
func changed(value string) string {
	if strings.HasPrefix(value, "/") {
		return value + "x"
	}
	return "x" + value
}
