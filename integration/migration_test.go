//go:build integration

package integration

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"libvirt.org/go/libvirt"

	"github.com/migxml/migxml/migrate"
)

// A guest moves from the source pod to a target pod in which every path, its namespace, its name and its UID are
// others. It notices nothing, and nothing of the source is left in what the target knows of it.
func TestMigration(t *testing.T) {
	for _, row := range []struct {
		name   string
		reason string
		scene  SceneConfig
	}{
		{"same generation", "libvirt 9.0 and QEMU 7.2 on both sides, with EFI variables that are named after the VM",
			SceneConfig{EFI: true}},
		{"newer target", "libvirt 11.3 and QEMU 10.0 have to accept what 9.0 and 7.2 send",
			SceneConfig{TargetRoot: installed.Trixie}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, ctx := newScene(t, row.scene)
			start := time.Now()
			dom, err := s.Boot(ctx)
			require.NoError(t, err, row.reason)
			t.Logf("boot: %.1f s", time.Since(start).Seconds())

			refuseUnchanged(ctx, t, s, dom)
			migrateRewritten(ctx, t, s, dom)
			arrived, err := s.Arrived()
			require.NoError(t, err)
			requireUnharmed(ctx, t, s)
			requireNoSource(t, s, arrived)
			requireColdStart(t, arrived)
		})
	}
}

// refuseUnchanged shows that the test can fail: with the source's own XML the target finds no disk, and the guest stays.
func refuseUnchanged(ctx context.Context, t *testing.T, s *Scene, dom *libvirt.Domain) {
	t.Helper()
	_, err := Move{Domain: dom, Target: s.Target, DestName: s.To.Domain(), CopyDisks: []string{"vda"}}.Run()
	require.ErrorAs(t, err, new(libvirt.Error))
	require.ErrorContains(t, err, filepath.Dir(sourceDisk), "the target names the path that it does not have")

	_, err = s.Arrived()
	require.ErrorIs(t, err, libvirt.ERR_NO_DOMAIN)
	requireState(t, dom, libvirt.DOMAIN_RUNNING)
	text, err := s.VM.Console(s.Source).Text()
	require.NoError(t, err)
	last, err := Counted(text)
	require.NoError(t, err)
	require.NoError(t, WaitForTick(ctx, s.VM.Console(s.Source), last+2), "the guest goes on where it was")
}

func migrateRewritten(ctx context.Context, t *testing.T, s *Scene, dom *libvirt.Domain) {
	t.Helper()
	samples := 0
	start := time.Now()
	stats, err := Move{
		Domain: dom, Target: s.Target, DestName: s.To.Domain(), CopyDisks: []string{"vda"},
		Live:     rewrite(t, s, dom, libvirt.DOMAIN_XML_MIGRATABLE),
		Stored:   rewrite(t, s, dom, libvirt.DOMAIN_XML_MIGRATABLE|libvirt.DOMAIN_XML_INACTIVE),
		Progress: func(*libvirt.DomainJobInfo) { samples++ },
	}.Run()
	require.NoError(t, err)
	t.Logf("migration: %.1f s, job %d ms, downtime %d ms, disk %d bytes, memory %d bytes, %d samples",
		time.Since(start).Seconds(), stats.TimeElapsed, stats.Downtime, stats.DiskProcessed, stats.MemProcessed, samples)
	require.GreaterOrEqual(t, stats.DiskProcessed, uint64(DiskSize), "the whole disk was copied")
	require.Positive(t, samples)
	requireState(t, dom, libvirt.DOMAIN_SHUTOFF)
}

// rewrite is what a source agent does with one of the domain's two definitions.
func rewrite(t *testing.T, s *Scene, dom *libvirt.Domain, flags libvirt.DomainXMLFlags) []byte {
	t.Helper()
	source, err := dom.GetXMLDesc(flags)
	require.NoError(t, err)
	for _, word := range s.SourceOnly() {
		if word != filepath.Base(s.VM.NVRAM()) || s.VM.EFI {
			require.Contains(t, source, word, "else its absence on the target would prove nothing")
		}
	}
	facts, err := migrate.ParseFacts("target.yaml", s.Facts)
	require.NoError(t, err)
	plan, err := migrate.NewPlan([]byte(source), facts, migrate.Options{})
	require.NoError(t, err)
	require.Equal(t, s.To.Domain(), plan.DestName)
	dest, err := plan.Apply()
	require.NoError(t, err)
	require.NoError(t, migrate.Verify([]byte(source), dest, facts))
	return dest
}

// requireUnharmed checks the guest's own evidence: a counter without a gap over both pods, its memory as it was, and a
// disk that is the target's image, bit for bit.
func requireUnharmed(ctx context.Context, t *testing.T, s *Scene) {
	t.Helper()
	before, err := s.VM.Console(s.Source).Text()
	require.NoError(t, err)
	last, err := Counted(before)
	require.NoError(t, err)
	console := s.To.Console(s.Target)
	require.NoError(t, WaitForTick(ctx, console, last+3))
	after, err := console.Text()
	require.NoError(t, err)
	now, err := Counted(before, after)
	require.NoError(t, err)
	require.GreaterOrEqual(t, now, last+3)
	t.Logf("counter: %d on the source, on to %d on the target", last, now)

	first, err := FirstSums(before)
	require.NoError(t, err)
	final, err := FinalSums(ctx, console)
	require.NoError(t, err)
	require.Equal(t, first.Memory, final.Memory)
	target, err := MD5(s.TargetImage)
	require.NoError(t, err)
	require.Equal(t, final.Disk, target)
	source, err := MD5(s.SourceImage)
	require.NoError(t, err)
	require.NotEqual(t, source, target, "the guest writes each count, since the switch to the target's image only")
}

// requireNoSource looks for the source in everything that the target can say about the guest.
func requireNoSource(t *testing.T, s *Scene, dom *libvirt.Domain) {
	t.Helper()
	for name, flags := range map[string]libvirt.DomainXMLFlags{
		"live": 0, "migratable": libvirt.DOMAIN_XML_MIGRATABLE, "persistent": libvirt.DOMAIN_XML_INACTIVE,
	} {
		xml, err := dom.GetXMLDesc(flags)
		require.NoError(t, err)
		for _, word := range s.SourceOnly() {
			require.NotContains(t, xml, word, name)
		}
		require.Contains(t, xml, "kept as it is", "another vendor's metadata in the %s XML", name)
		require.Contains(t, xml, targetDisk, name)
	}
}

// requireColdStart shows that the persistent definition is whole: QEMU starts from it.
func requireColdStart(t *testing.T, dom *libvirt.Domain) {
	t.Helper()
	require.NoError(t, dom.Destroy())
	require.NoError(t, dom.Create())
	requireState(t, dom, libvirt.DOMAIN_RUNNING)
}

func requireState(t *testing.T, dom *libvirt.Domain, want libvirt.DomainState) {
	t.Helper()
	state, _, err := dom.GetState()
	require.NoError(t, err)
	require.Equal(t, want, state)
}
