package migrate

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/beevik/etree"
	"github.com/stretchr/testify/require"

	"github.com/migxml/migxml/migrate/internal/xmledit"
)

// corpusFile holds the domain documents among libvirt 11.3's own test data. They
// are no part of this project: the tests below run over them where the archive
// lies beside it, and over the project's own documents everywhere.
const corpusFile = "../../shared/corpus/libvirt-11.3-domains.tar.gz"

const corpusSize = 2597

type document struct {
	name string
	data []byte
}

// documents returns the project's own documents and, where it is, the corpus.
func documents(t testing.TB) []document {
	t.Helper()
	docs := ownDocuments(t)
	own := len(docs)
	f, err := os.Open(corpusFile)
	if errors.Is(err, os.ErrNotExist) {
		t.Logf("%s is not here: %d documents of the project's own alone", corpusFile, own)
		return docs
	}
	require.NoError(t, err)
	defer f.Close()
	gz, err := gzip.NewReader(f)
	require.NoError(t, err)
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		if h.Typeflag != tar.TypeReg || path.Ext(h.Name) != ".xml" {
			continue
		}
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		docs = append(docs, document{path.Base(h.Name), data})
	}
	require.Len(t, docs, own+corpusSize, "the corpus is complete")
	return docs
}

func ownDocuments(t testing.TB) []document {
	t.Helper()
	var docs []document
	for _, dir := range []string{"../testdata/domain", "testdata/documents"} {
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, f := range files {
			if path.Ext(f.Name()) == ".xml" {
				data, err := os.ReadFile(path.Join(dir, f.Name()))
				require.NoError(t, err)
				docs = append(docs, document{f.Name(), data})
			}
		}
	}
	require.NotEmpty(t, docs)
	return docs
}

// A plan without facts changes nothing but what always goes, and a plan without
// edits gives the same bytes.
func TestDocumentsComeBackAsTheSameBytes(t *testing.T) {
	for _, d := range documents(t) {
		doc, err := parseDomain(new(xmledit.Reader), d.data, "source")
		require.NoError(t, err, d.name)
		require.Equal(t, string(d.data), doc.Source(), d.name)
		same, err := Splice(d.data, nil)
		require.NoError(t, err)
		require.True(t, bytes.Equal(d.data, same), d.name)

		plan, err := NewPlan(d.data, Facts{}, Options{})
		require.NoError(t, err, d.name)
		for _, e := range plan.Edits {
			require.Contains(t, []string{"ID-5", "ID-6"}, e.Rule, d.name)
		}
		dest, err := plan.Apply()
		require.NoError(t, err, d.name)
		if len(plan.Edits) == 0 {
			require.True(t, bytes.Equal(d.data, dest), d.name)
		}
	}
}

// With every path mapped by one prefix rule only the bytes of those paths
// differ, and Verify accepts. Which bytes are paths is found out by another
// parser: every value that starts with "/" at a place of the list.
func TestDocumentsWithEveryPathMoved(t *testing.T) {
	facts := Facts{Paths: []PathFact{{"/", "/moved"}}}
	moved := 0
	for _, d := range documents(t) {
		plan, err := NewPlan(d.data, facts, Options{})
		require.NoError(t, err, d.name)
		dest, err := plan.Apply()
		require.NoError(t, err, d.name)

		// Outside the edits both documents have the same bytes, and taking every
		// "/moved" out of the new values gives the old ones.
		from, to := 0, 0
		for _, e := range plan.Edits {
			same := e.Start - from
			require.Equal(t, string(d.data[from:e.Start]), string(dest[to:to+same]), "%s before %s", d.name, e.Path)
			from, to = e.End, to+same+len(e.After)
			if e.Rule == "paths" {
				if e.Old == "/" {
					require.Equal(t, "/moved", e.New)
					continue
				}
				require.Equal(t, e.Old, strings.ReplaceAll(e.New, "/moved/", "/"), "%s %s", d.name, e.Path)
				moved++
			}
		}
		require.Equal(t, string(d.data[from:]), string(dest[to:]), "%s after the last edit", d.name)
		require.NoError(t, Verify(d.data, dest, facts), d.name)
	}
	t.Logf("%d paths moved", moved)
	require.Greater(t, moved, 20)
}

// Every place of the documents whose value starts with "/" is in the list of
// places, as one that moves or as one that must stay. Unknown elements that the
// project's own documents carry on purpose are named here.
func TestPlacesCoverTheDocuments(t *testing.T) {
	known := map[string]bool{}
	for _, d := range documents(t) {
		tree := etree.NewDocument()
		require.NoError(t, tree.ReadFromBytes(d.data), d.name)
		var walk func(e *etree.Element, n *node)
		walk = func(e *etree.Element, n *node) {
			for i := range e.Attr {
				if l := n.leafFor(&e.Attr[i]); strings.HasPrefix(e.Attr[i].Value, "/") && (l == nil || l.place == nil) {
					known[placeOf(e)+"/@"+e.Attr[i].FullKey()] = true
				}
			}
			if strings.HasPrefix(elementText(e), "/") && (n == nil || n.text == nil || n.text.place == nil) {
				known[placeOf(e)] = true
			}
			for _, c := range e.ChildElements() {
				if placeOf(c) != "domain/metadata" {
					walk(c, n.childFor(namespaceOf(c), c.Tag))
				}
			}
		}
		walk(tree.Root(), domainTable)
	}
	require.Equal(t, map[string]bool{"domain/devices/vendor:gadget/@node": true}, known)
}

// placeOf is the path of an element without indexes.
func placeOf(e *etree.Element) string {
	if isRoot(e) {
		return e.FullTag()
	}
	return placeOf(e.Parent()) + "/" + e.FullTag()
}
