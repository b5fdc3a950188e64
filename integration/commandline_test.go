//go:build integration

package integration

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The same story with programs alone, as an administrator would live it: virsh reads, migxml rewrites, virsh migrates.
func TestCommandLine(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	build := exec.Command("go", "build", "-buildvcs=false", "-o", file("migxml"), "../cmd/migxml")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	_, err := run(build)
	require.NoError(t, err)

	s, ctx := newScene(t, SceneConfig{})
	_, err = s.Boot(ctx)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file("target.yaml"), s.Facts, 0o600))
	migxml := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(ctx, file("migxml"), args...).Output()
		require.NoError(t, err)
		return string(out)
	}

	for name, args := range map[string][]string{
		"live.xml":   {"dumpxml", "--migratable", s.VM.Domain()},
		"stored.xml": {"dumpxml", "--migratable", "--inactive", s.VM.Domain()},
	} {
		xml, err := s.Source.Virsh(args...)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file(name), []byte(xml), 0o600))
		preview := migxml("preview", "--target", file("target.yaml"), file(name))
		for _, word := range []string{sourceDisk, targetDisk, s.VM.CloudInit(), s.To.CloudInit(), s.To.Domain()} {
			require.Contains(t, preview, word)
		}
		dest := migxml("rewrite", "--target", file("target.yaml"), file(name))
		require.NoError(t, os.WriteFile(file("dest-"+name), []byte(dest), 0o600))
		migxml("verify", "--source", file(name), "--target", file("target.yaml"), file("dest-"+name))
	}
	_, err = run(exec.Command("virt-xml-validate", file("dest-live.xml"), "domain"))
	require.NoError(t, err, "libvirt's own schema")

	share := "unix://" + ShareDir + "/target/"
	_, err = s.Source.Virsh("migrate", "--live", "--p2p", "--persistent", "--copy-storage-all", "--migrate-disks", "vda",
		"--xml", file("dest-live.xml"), "--persistent-xml", file("dest-stored.xml"), "--dname", s.To.Domain(),
		"--migrateuri", share+"memory.sock", "--disks-uri", share+"disks.sock", s.VM.Domain(), s.Target.PeerURI)
	require.NoError(t, err)
	dom, err := s.Arrived()
	require.NoError(t, err)
	requireUnharmed(ctx, t, s)
	requireNoSource(t, s, dom)
}
