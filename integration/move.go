//go:build integration

package integration

import (
	"fmt"
	"time"

	"libvirt.org/go/libvirt"
)

// A Move is one peer-to-peer live migration that copies disks, in libvirt's own terms.
type Move struct {
	Domain    *libvirt.Domain
	Target    *Pod
	DestName  string
	Live      []byte   // destination XML
	Stored    []byte   // destination XML of the persistent definition
	CopyDisks []string // target dev of each disk to copy
	Progress  func(*libvirt.DomainJobInfo)
}

// Run migrates and returns the figures of the finished job. The sockets of memory and disks are below ShareDir.
func (m Move) Run() (*libvirt.DomainJobInfo, error) {
	socket := func(port string) string {
		return "unix://" + ShareDir + "/" + m.Target.Name + "/" + randomUUID() + "-" + port + "-source.sock"
	}
	params := &libvirt.DomainMigrateParameters{
		URI: socket("49152"), URISet: true,
		DestName: m.DestName, DestNameSet: true,
	}
	flags := libvirt.MIGRATE_LIVE | libvirt.MIGRATE_PEER2PEER | libvirt.MIGRATE_PERSIST_DEST
	if m.Live != nil {
		params.DestXML, params.DestXMLSet = string(m.Live), true
	}
	if m.Stored != nil {
		params.PersistXML, params.PersistXMLSet = string(m.Stored), true
	}
	if len(m.CopyDisks) > 0 {
		flags |= libvirt.MIGRATE_NON_SHARED_DISK
		params.MigrateDisks, params.MigrateDisksSet = m.CopyDisks, true
		params.DisksURI, params.DisksURISet = socket("49153"), true
	}
	done := make(chan error, 1)
	go func() { done <- m.Domain.MigrateToURI3(m.Target.PeerURI, params, flags) }()
	if err := m.watch(done); err != nil {
		return nil, err
	}
	stats, err := m.Domain.GetJobStats(libvirt.DOMAIN_JOB_STATS_COMPLETED)
	if err != nil {
		return nil, fmt.Errorf("integration: figures of the finished migration: %w", err)
	}
	return stats, nil
}

// watch reports the job's figures until the migrate call returns.
func (m Move) watch(done <-chan error) error {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-ticker.C:
			// The job can end between the tick and the question.
			if stats, err := m.Domain.GetJobStats(0); err == nil && m.Progress != nil {
				m.Progress(stats)
			}
		}
	}
}
