package xmledit

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// doc is a named document.
type doc struct {
	name string
	src  string
}

// own are the documents in testdata.
func own(t testing.TB) []doc {
	t.Helper()
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents in testdata: %v", err)
	}
	var docs []doc
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc{filepath.Base(f), string(src)})
	}
	return docs
}

// corpusDocs is how many documents the corpus has.
const corpusDocs = 2597

// corpus are the documents in testdata and, if the folder of shared data
// stands beside the project's, all domain documents of libvirt's own tests.
func corpus(t testing.TB) []doc {
	t.Helper()
	docs := own(t)
	f, err := os.Open("../../../../shared/corpus/libvirt-11.3-domains.tar.gz")
	if errors.Is(err, fs.ErrNotExist) {
		t.Log("no corpus beside the project: own documents only")
		return docs
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg || !strings.HasSuffix(h.Name, ".xml") {
			continue
		}
		src, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc{filepath.Base(h.Name), string(src)})
		n++
	}
	if n != corpusDocs {
		t.Fatalf("the corpus has %d documents, want %d", n, corpusDocs)
	}
	return docs
}

// mustParse reads a document that is one.
func mustParse(t testing.TB, src string) *Document {
	t.Helper()
	d, err := Parse([]byte(src), Limits{})
	if err != nil {
		t.Fatalf("Parse(%s): %v", quote(src), err)
	}
	return d
}

// mustFind gives the only node of a path.
func mustFind(t testing.TB, d *Document, path string) Node {
	t.Helper()
	p, err := Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	nodes := p.Find(d)
	if len(nodes) != 1 {
		t.Fatalf("%s leads to %d nodes, want 1", path, len(nodes))
	}
	return nodes[0]
}
