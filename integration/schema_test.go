//go:build integration

package integration

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/beevik/etree"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/migxml/migxml/convert"
)

// What converts is a domain to libvirt's own schema: for every case, the shared ones included where they are there.
func TestConvertedCasesFitSchema(t *testing.T) {
	cases := convertCases(t)
	docs := map[string]string{}
	stripped := map[string]string{} // those that hold what the schema does not know yet, as they are
	for name, c := range cases {
		text, ok := c.convert(t, name)
		if !ok {
			continue
		}
		docs[name] = text
		if known := withoutNewer(t, text); known != text {
			docs[name], stripped[name] = known, text
		}
	}
	require.NotEmpty(t, docs)
	bad, err := installed.DomainSchema().Validate(t.TempDir(), docs)
	require.NoError(t, err)
	for name, words := range bad {
		t.Errorf("%s is not valid:\n%s", name, words)
	}
	t.Logf("%d of %d cases convert; all but %d hold nothing newer than the schema", len(docs), len(cases), len(stripped))

	// An exception that is no longer needed fails, and so does a schema that accepts everything.
	bad, err = installed.DomainSchema().Validate(t.TempDir(), stripped)
	require.NoError(t, err)
	for name := range stripped {
		require.Contains(t, bad, name, "the schema knows it by now: take the exception out")
	}
}

// The check can fail: a misspelt element, a value that is none of the listed, a missing name and an unknown attribute.
func TestSchemaRefuses(t *testing.T) {
	good := `<domain type="qemu"><name>a</name><memory>1024</memory><os><type>hvm</type></os></domain>`
	docs := map[string]string{
		"good":      good,
		"element":   strings.ReplaceAll(good, "memory>", "memroy>"),
		"value":     strings.ReplaceAll(good, `"qemu"`, `"quemu"`),
		"no name":   strings.ReplaceAll(good, "<name>a</name>", ""),
		"attribute": strings.ReplaceAll(good, "<os>", `<os color="blue">`),
		"no XML":    good + "<",
	}
	bad, err := installed.DomainSchema().Validate(t.TempDir(), docs)
	require.NoError(t, err)
	for name := range docs {
		if name == "good" {
			require.NotContains(t, bad, name)
		} else {
			require.NotEmpty(t, bad[name], name)
		}
	}
}

// newer is what came to libvirt after 11.3, each in exactly the form that is written: any other form stays in the
// document, and fails.
var newer = []struct {
	reason string
	at     string
	form   string // all of the element
	attr   string // what is newer of it; all of it if empty
}{
	{"confidential guests of Intel TDX", "/domain/launchSecurity",
		`<launchSecurity type="tdx"><quoteGenerationService(?: path="[^"]+")?/></launchSecurity>`, ""},
	{"reservations that a guest takes along when it migrates", "/domain/devices/disk/source/reservations",
		`<reservations managed="no" migration="yes"><source type="unix" mode="client" path="[^"]+"/></reservations>`, "migration"},
	{"VFIO through a descriptor that the pod was given", "/domain/iommufd", `<iommufd enabled="yes" fdgroup="iommu"/>`, ""},
	{"a device that uses it", "/domain/devices/hostdev/driver", `<driver iommufd="yes"/>`, ""},
	{"guest NUMA nodes that stand for a device's memory", "/domain/devices/hostdev/acpi", `<acpi nodeset="\d+(?:-\d+)?"/>`, ""},
	{"an SMMU for each expander bridge", "/domain/devices/iommu",
		`<iommu model="smmuv3"><driver pciBus="\d+" accel="on" ats="on" ril="off" ssidsize="20" oas="48"/></iommu>`, ""},
}

// withoutNewer takes out what the schema does not know yet. A text that has nothing of it comes back as it is.
func withoutNewer(t *testing.T, text string) string {
	t.Helper()
	doc := etree.NewDocument()
	require.NoError(t, doc.ReadFromString(text))
	changed := false
	for _, n := range newer {
		form := regexp.MustCompile("^" + n.form + "$")
		for _, e := range doc.FindElements(n.at) {
			switch {
			case !form.MatchString(oneLine(t, e)):
				continue
			case n.attr != "":
				e.RemoveAttr(n.attr)
			default:
				e.Parent().RemoveChild(e)
			}
			changed = true
		}
	}
	if !changed {
		return text
	}
	known, err := doc.WriteToString()
	require.NoError(t, err)
	return known
}

// oneLine is an element without the white space between its tags.
func oneLine(t *testing.T, e *etree.Element) string {
	t.Helper()
	doc := etree.NewDocumentWithRoot(e.Copy())
	doc.Unindent()
	text, err := doc.WriteToString()
	require.NoError(t, err)
	return text
}

// A convertCase is a VMI and the context to convert it in.
type convertCase struct{ vmi, context []byte }

// convert says ok=false for a case that is refused.
func (c convertCase) convert(t *testing.T, name string) (text string, ok bool) {
	t.Helper()
	vmi, err := convert.ParseVMI(name+"/vmi.yaml", c.vmi)
	require.NoError(t, err)
	ctx, err := convert.ParseContext(name+"/context.yaml", c.context)
	require.NoError(t, err)
	r, err := convert.VMI(vmi, ctx)
	if err != nil {
		return "", false
	}
	text, err = r.XML()
	require.NoError(t, err)
	return text, true
}

// caseOf takes the two files of a case out of its archive.
func caseOf(archive *txtar.Archive) (c convertCase) {
	for _, part := range archive.Files {
		switch part.Name {
		case "vmi.yaml":
			c.vmi = part.Data
		case "context.yaml":
			c.context = part.Data
		}
	}
	return c
}

// convertCases are the project's cases and, beside the project, those of the conformance suite.
func convertCases(t *testing.T) map[string]convertCase {
	t.Helper()
	cases := map[string]convertCase{}
	files, err := filepath.Glob("../testdata/convert/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		cases[filepath.Base(file)] = caseOf(archive)
	}
	shared, err := filepath.Glob("../../shared/conformance/convert/*/vmi.yaml")
	require.NoError(t, err)
	for _, file := range shared {
		vmi, err := os.ReadFile(file)
		require.NoError(t, err)
		context, err := os.ReadFile(filepath.Join(filepath.Dir(file), "context.yaml"))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		cases[fmt.Sprint("shared/", filepath.Base(filepath.Dir(file)))] = convertCase{vmi, context}
	}
	return cases
}
