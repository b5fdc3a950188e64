package convert

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// schemaFile is libvirt's schema of a domain. That of 11.3 or newer is wanted;
// the integration tests have one, and hold all cases to it.
var schemaFile = flag.String("schema", "", "libvirt's domain.rng, to hold random VMIs to")

// validate holds documents to libvirt's schema and returns what it says, by name.
func validate(t *testing.T, docs map[string]string) map[string]string {
	t.Helper()
	xmllint, err := exec.LookPath("xmllint")
	require.NoError(t, err)
	dir := t.TempDir()
	args := []string{"--noout", "--relaxng", *schemaFile}
	for name, text := range docs {
		f := filepath.Join(dir, name+".xml")
		require.NoError(t, os.WriteFile(f, []byte(text), 0o600))
		args = append(args, f)
	}
	var out bytes.Buffer
	cmd := exec.Command(xmllint, args...)
	cmd.Stderr = &out
	_ = cmd.Run() // its words count
	bad := map[string]string{}
	validated := 0
	for line := range strings.Lines(out.String()) {
		file, said, ok := strings.Cut(strings.TrimPrefix(line, dir+"/"), ".xml")
		switch {
		case ok && strings.HasPrefix(said, " validates"):
			validated++
		case ok:
			bad[file] += said
		}
	}
	for name := range bad {
		bad[name] += docs[name]
	}
	require.Equal(t, len(docs), validated+len(bad), out.String())
	return bad
}

// newerThanSchema: TDX came with libvirt 11.6 (its quote service later), IOMMUFD
// with 12, and a reservation's migration attribute with 11.5.
func newerThanSchema(text string) bool {
	for _, s := range []string{`<launchSecurity type="tdx">`, ` migration="`, "<iommufd ", ` accel="on"`, " iommufd=", `<acpi nodeset=`} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// TestSchemaOfRandomVMIs holds to the schema whatever can be converted at all.
func TestSchemaOfRandomVMIs(t *testing.T) {
	if *schemaFile == "" {
		t.Skip("no -schema is given")
	}
	docs := map[string]string{}
	for seed := range int64(2000) {
		vmi, ctx := randomVMI(rand.New(rand.NewSource(seed)))
		r, err := VMI(vmi, ctx)
		if err != nil {
			continue
		}
		text, err := r.XML()
		require.NoError(t, err)
		docs[fmt.Sprintf("seed%d", seed)] = text
	}
	for name, said := range validate(t, docs) {
		if !newerThanSchema(docs[name]) {
			t.Errorf("%s: %s", name, said)
		}
	}
}
