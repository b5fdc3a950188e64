//go:build integration

package integration

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"text/template"

	"libvirt.org/go/libvirt"
)

// DiskSize is the virtual size of the scene's data disk, in bytes.
const DiskSize = 64 << 20

// A SceneConfig says in what the scene differs from two pods of one generation.
type SceneConfig struct {
	TargetRoot string // root directory of the target pod: another generation's; empty is the host's own
	EFI        bool   // the guest has OVMF and a variable store
}

// A Scene is what a migration starts from: two pods, a guest defined on the source, and a target prepared for it.
type Scene struct {
	Lab            *Lab
	Source, Target *Pod
	VM             VM       // as the source defines it
	To             Identity // who it will be
	Facts          []byte   // target.yaml
	SourceImage    string   // the data disk's image, a host path
	TargetImage    string   // the same on the target

	domains []*libvirt.Domain
	conns   []*libvirt.Connect
}

// Where the pods see the data disk: the volume has another name on the target.
const (
	sourceDisk = "/var/run/kubevirt-private/vmi-disks/data/disk.img"
	targetDisk = "/var/run/kubevirt-private/vmi-disks/data-dr/disk.img"
)

// tapName is the same in both pods, as it is with KubeVirt: it follows from the network's name.
const tapName = "tap37a8eec1ce1"

// NewScene starts both pods and prepares them. The guest does not run yet.
func NewScene(in Installed, c SceneConfig) (*Scene, error) {
	lab, err := NewLab()
	if err != nil {
		return nil, err
	}
	s := &Scene{
		Lab: lab,
		VM: VM{
			Identity: Identity{Namespace: "shop", Name: "vm-a", UID: randomUUID()},
			UUID:     randomUUID(), Disk: sourceDisk, Tap: tapName, EFI: c.EFI,
		},
		To:          Identity{Namespace: "shop-dr", Name: "vm-b", UID: randomUUID()},
		SourceImage: filepath.Join(lab.Dir, "images/source/disk.img"),
		TargetImage: filepath.Join(lab.Dir, "images/target/disk.img"),
	}
	if err := s.build(in, c); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Scene) build(in Installed, c SceneConfig) error {
	boot, err := s.Lab.BootFiles(in.Kernel, Initrd{Modules: []string{"virtio_pci", "virtio_blk"}, Script: CounterScript()})
	if err != nil {
		return err
	}
	// A random image, so that a block that was not copied shows.
	var seed [32]byte
	copy(seed[:], s.VM.UUID)
	if err := writeImage(s.SourceImage, io.LimitReader(rand.NewChaCha8(seed), DiskSize)); err != nil {
		return err
	}
	if err := writeImage(s.TargetImage, bytes.NewReader(nil)); err != nil {
		return err
	}
	if err := os.Truncate(s.TargetImage, DiskSize); err != nil {
		return err
	}
	bootBind := Bind{Host: boot, Pod: BootDir}
	s.Source, err = s.Lab.StartPod(PodConfig{Name: "source", Binds: []Bind{
		bootBind, {Host: filepath.Dir(s.SourceImage), Pod: filepath.Dir(sourceDisk)},
	}})
	if err != nil {
		return err
	}
	s.Target, err = s.Lab.StartPod(PodConfig{Name: "target", Root: c.TargetRoot, Binds: []Bind{
		bootBind, {Host: filepath.Dir(s.TargetImage), Pod: filepath.Dir(targetDisk)},
	}})
	if err != nil {
		return err
	}
	if err := errors.Join(preparePod(s.Source, s.VM.Identity), preparePod(s.Target, s.To)); err != nil {
		return err
	}
	s.Facts, err = s.facts()
	return err
}

// preparePod makes what KubeVirt's launcher makes before a guest starts or arrives: directories, the tap, and the
// cloud-init image with its content.
func preparePod(p *Pod, id Identity) error {
	var errs []error
	for _, dir := range []string{id.Private(), filepath.Dir(id.NVRAM())} {
		errs = append(errs, os.MkdirAll(p.Path(dir), 0o755))
	}
	iso := make([]byte, 1<<20)
	copy(iso, "instance-id: vm-a\n")
	errs = append(errs, p.WriteFile(id.CloudInit(), iso), p.Tap(tapName, 1450))
	return errors.Join(errs...)
}

// BootFiles puts a kernel and an initramfs into a directory of the lab and returns the directory.
func (l *Lab) BootFiles(k Kernel, i Initrd) (string, error) {
	initrd, err := i.Build(k)
	if err != nil {
		return "", err
	}
	kernel, err := os.ReadFile(k.Image)
	if err != nil {
		return "", err
	}
	path, err := l.path("boot", "vmlinuz")
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(path)
	return dir, errors.Join(os.WriteFile(path, kernel, 0o644), os.WriteFile(filepath.Join(dir, "initrd"), initrd, 0o644))
}

func writeImage(path string, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}

var factsTemplate = template.Must(template.New("facts").Parse(`source:
  namespace: {{.VM.Namespace}}
  name: {{.VM.Name}}
  uid: {{.VM.UID}}
target:
  namespace: {{.To.Namespace}}
  name: {{.To.Name}}
  uid: {{.To.UID}}
paths:
- {from: {{.From}}, to: {{.Dir}}}
- {from: {{.Boot}}, to: {{.Boot}}}
- {from: /usr/share/OVMF, to: /usr/share/OVMF}
- {from: /usr/bin/qemu-system-x86_64, to: /usr/bin/qemu-system-x86_64}
- {from: /dev/urandom, to: /dev/urandom}
`))

// facts is the target.yaml of the move.
func (s *Scene) facts() ([]byte, error) {
	var b bytes.Buffer
	err := factsTemplate.Execute(&b, map[string]any{
		"VM": s.VM, "To": s.To, "From": filepath.Dir(sourceDisk), "Dir": filepath.Dir(targetDisk), "Boot": BootDir,
	})
	return b.Bytes(), err
}

// SourceOnly are the words that only the source pod's paths and KubeVirt's metadata have. None of them may be in an XML
// of the target.
func (s *Scene) SourceOnly() []string {
	return []string{
		"http://kubevirt.io", s.VM.UID, filepath.Dir(sourceDisk) + "/",
		"/" + s.VM.Namespace + "/" + s.VM.Name + "/", filepath.Base(s.VM.NVRAM()),
	}
}

// Boot defines and starts the guest on the source and waits for its first count.
func (s *Scene) Boot(ctx context.Context) (*libvirt.Domain, error) {
	dom, err := s.Define()
	if err != nil {
		return nil, err
	}
	if err := dom.Create(); err != nil {
		return nil, fmt.Errorf("integration: start the guest: %w", err)
	}
	return dom, WaitForTick(ctx, s.VM.Console(s.Source), 1)
}

// Define defines the guest on the source.
func (s *Scene) Define() (*libvirt.Domain, error) {
	conn, err := s.connect(s.Source)
	if err != nil {
		return nil, err
	}
	xml, err := s.VM.XML()
	if err != nil {
		return nil, err
	}
	dom, err := conn.DomainDefineXMLFlags(xml, libvirt.DOMAIN_DEFINE_VALIDATE)
	if err != nil {
		return nil, fmt.Errorf("integration: define the guest: %w", err)
	}
	s.domains = append(s.domains, dom)
	return dom, nil
}

// Arrived looks up the guest on the target.
func (s *Scene) Arrived() (*libvirt.Domain, error) {
	conn, err := s.connect(s.Target)
	if err != nil {
		return nil, err
	}
	dom, err := conn.LookupDomainByName(s.To.Domain())
	if err == nil {
		s.domains = append(s.domains, dom)
	}
	return dom, err
}

func (s *Scene) connect(p *Pod) (*libvirt.Connect, error) {
	conn, err := p.Connect()
	if err == nil {
		s.conns = append(s.conns, conn)
	}
	return conn, err
}

// Logs are the logs of both pods.
func (s *Scene) Logs() string {
	var text string
	for _, p := range []*Pod{s.Source, s.Target} {
		if p != nil {
			text += p.Logs()
		}
	}
	return text
}

// Close ends everything.
func (s *Scene) Close() error {
	var errs []error
	for _, d := range s.domains {
		errs = append(errs, d.Free())
	}
	for _, c := range s.conns {
		_, err := c.Close()
		errs = append(errs, err)
	}
	return errors.Join(append(errs, s.Lab.Close())...)
}
