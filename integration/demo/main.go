//go:build integration

// Demo moves a guest from a Debian 12 pod to a Debian 13 pod and shows on the way what migxml does: make demo.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"libvirt.org/go/libvirt"

	"github.com/migxml/migxml/integration"
)

func main() {
	migxml := flag.String("migxml", "migxml", "the migxml program")
	flag.Parse()
	if err := run(*migxml); err != nil {
		fmt.Fprintln(os.Stderr, "\ndemo failed:", err)
		os.Exit(1)
	}
}

// A show is one run of the demo.
type show struct {
	*integration.Scene
	migxml string
	start  time.Time
	domain *libvirt.Domain
}

func run(migxml string) (err error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), 10*time.Minute, errors.New("not done after ten minutes"))
	defer cancel()
	in, err := integration.FindInstalled()
	if err != nil {
		return err
	}
	if migxml, err = exec.LookPath(migxml); err != nil {
		return err
	}
	if migxml, err = filepath.Abs(migxml); err != nil {
		return err
	}
	s := &show{migxml: migxml, start: time.Now()}
	s.title("Two pods on this machine, each with a libvirtd in namespaces of its own")
	if s.Scene, err = integration.NewScene(in, integration.SceneConfig{TargetRoot: in.Trixie, EFI: true}); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			fmt.Fprintln(os.Stderr, s.Logs())
		}
		err = errors.Join(err, s.Close())
		if err == nil {
			fmt.Printf("\nDone after %.0f s. Both pods are gone.\n", time.Since(s.start).Seconds())
		}
	}()
	for _, step := range []func(context.Context) error{
		s.versions, s.preview, s.boot, s.refused, s.migrate, s.goesOn, s.nothingLeft,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *show) title(text string) {
	fmt.Printf("\n== %3.0f s  %s\n", time.Since(s.start).Seconds(), text)
}

func indent(text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		fmt.Print("   ", line)
	}
}

func (s *show) versions(context.Context) error {
	for _, pod := range []*integration.Pod{s.Source, s.Target} {
		v, err := pod.Versions()
		if err != nil {
			return err
		}
		fmt.Printf("   %s pod: libvirt %s, QEMU %s\n", pod.Name, v.Libvirt, v.QEMU)
	}
	return nil
}

// preview defines the guest and, without any daemon, shows what would become of its XML.
func (s *show) preview(context.Context) error {
	var err error
	if s.domain, err = s.Define(); err != nil {
		return err
	}
	if err := s.save("source.xml", libvirt.DOMAIN_XML_MIGRATABLE); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.Lab.Dir, "target.yaml"), s.Facts, 0o600); err != nil {
		return err
	}
	s.title("What is known of the target: target.yaml")
	indent(string(s.Facts))
	s.title("migxml preview --target target.yaml source.xml")
	text, err := s.run("preview", "--target", "target.yaml", "source.xml")
	if err != nil {
		return err
	}
	indent(text)
	return nil
}

// save writes one of the domain's definitions to a file of the lab.
func (s *show) save(name string, flags libvirt.DomainXMLFlags) error {
	xml, err := s.domain.GetXMLDesc(flags)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.Lab.Dir, name), []byte(xml), 0o600)
}

// run runs migxml in the lab's directory and returns its output.
func (s *show) run(args ...string) (string, error) {
	var failure strings.Builder
	cmd := exec.Command(s.migxml, args...)
	cmd.Dir = s.Lab.Dir
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("migxml %s: %w: %s", args[0], err, strings.TrimSpace(failure.String()))
	}
	return string(out), nil
}

func (s *show) boot(ctx context.Context) error {
	s.title("The guest boots on the source pod (QEMU without KVM: about ten seconds)")
	if err := s.domain.Create(); err != nil {
		return err
	}
	console := s.VM.Console(s.Source)
	if err := integration.WaitForTick(ctx, console, 3); err != nil {
		return err
	}
	return s.showCounter(console)
}

func (s *show) showCounter(c integration.Console) error {
	text, err := c.Text()
	if err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "tick ") || strings.HasPrefix(line, "sums ") {
			fmt.Print("   ", line)
		}
	}
	return nil
}

func (s *show) move(live, stored []byte, progress func(*libvirt.DomainJobInfo)) (*libvirt.DomainJobInfo, error) {
	return integration.Move{
		Domain: s.domain, Target: s.Target, DestName: s.To.Domain(), CopyDisks: []string{"vda"},
		Live: live, Stored: stored, Progress: progress,
	}.Run()
}

func (s *show) refused(context.Context) error {
	s.title("Migration with the XML as it is")
	_, err := s.move(nil, nil, nil)
	if err == nil {
		return errors.New("the target took the source's XML")
	}
	var failure libvirt.Error
	if !errors.As(err, &failure) {
		return err
	}
	fmt.Println("   refused, as it should be:", failure.Message)
	return nil
}
