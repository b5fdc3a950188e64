//go:build integration

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"libvirt.org/go/libvirt"

	"github.com/migxml/migxml/integration"
)

// migrate rewrites both definitions with migxml and moves the guest.
func (s *show) migrate(context.Context) error {
	s.title("migxml rewrite, then the same migration with the result")
	dest := map[string]string{}
	for name, flags := range map[string]libvirt.DomainXMLFlags{
		"live.xml": libvirt.DOMAIN_XML_MIGRATABLE, "stored.xml": libvirt.DOMAIN_XML_MIGRATABLE | libvirt.DOMAIN_XML_INACTIVE,
	} {
		err := s.save(name, flags)
		if err != nil {
			return err
		}
		if dest[name], err = s.run("rewrite", "--target", "target.yaml", name); err != nil {
			return err
		}
	}
	stats, err := s.move([]byte(dest["live.xml"]), []byte(dest["stored.xml"]), progressPrinter())
	if err != nil {
		return err
	}
	fmt.Printf("   done: %.1f s in all, the guest stood still for %d ms\n", float64(stats.TimeElapsed)/1000, stats.Downtime)
	return nil
}

// progressPrinter prints each line once.
func progressPrinter() func(*libvirt.DomainJobInfo) {
	const mib = 1 << 20
	last := ""
	return func(job *libvirt.DomainJobInfo) {
		line := "   preparing the target"
		switch {
		case job.MemTotalSet && job.MemTotal > 0:
			line = fmt.Sprintf("   memory  %3d MiB of %3d MiB remaining", job.MemRemaining/mib, job.MemTotal/mib)
		case job.DiskTotalSet && job.DiskTotal > 0:
			line = fmt.Sprintf("   disk    %3d MiB of %3d MiB remaining", job.DiskRemaining/mib, job.DiskTotal/mib)
		}
		if line != last {
			fmt.Println(line)
		}
		last = line
	}
}

// goesOn shows the counter of the same guest on the target, and checks its memory and its disk.
func (s *show) goesOn(ctx context.Context) error {
	s.title("The guest on the target pod")
	before, err := s.VM.Console(s.Source).Text()
	if err != nil {
		return err
	}
	last, err := integration.Counted(before)
	if err != nil {
		return err
	}
	fmt.Printf("   the source's serial port ended with tick %d\n", last)
	console := s.To.Console(s.Target)
	if err := integration.WaitForTick(ctx, console, last+3); err != nil {
		return err
	}
	if err := s.showCounter(console); err != nil {
		return err
	}
	after, err := console.Text()
	if err != nil {
		return err
	}
	now, err := integration.Counted(before, after)
	if err != nil {
		return err
	}
	fmt.Printf("   counter: 1 to %d over both pods, no gap and no reset\n", now)
	first, err := integration.FirstSums(before)
	if err != nil {
		return err
	}
	final, err := integration.FinalSums(ctx, console)
	if err != nil {
		return err
	}
	image, err := integration.MD5(s.TargetImage)
	if err != nil {
		return err
	}
	fmt.Printf("   memory: guest says %s before and %s after\n", first.Memory, final.Memory)
	fmt.Printf("   disk:   guest says %s, the target's image is %s\n", final.Disk, image)
	if first.Memory != final.Memory || final.Disk != image {
		return errors.New("a checksum differs")
	}
	return nil
}

// nothingLeft looks for the source in the target's definitions.
func (s *show) nothingLeft(context.Context) error {
	s.title("What the target's libvirt knows about the guest")
	dom, err := s.Arrived()
	if err != nil {
		return err
	}
	for name, flags := range map[string]libvirt.DomainXMLFlags{"running": 0, "stored": libvirt.DOMAIN_XML_INACTIVE} {
		xml, err := dom.GetXMLDesc(flags)
		if err != nil {
			return err
		}
		for _, word := range s.SourceOnly() {
			if strings.Contains(xml, word) {
				return fmt.Errorf("the %s XML on the target has %s in it", name, word)
			}
		}
		fmt.Printf("   %s XML: %d bytes, no path of the source pod, no KubeVirt metadata\n", name, len(xml))
	}
	return nil
}
