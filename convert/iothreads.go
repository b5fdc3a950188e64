package convert

// ioThreadPlan is how many I/O threads the guest has and who uses them (compute.md 17).
type ioThreadPlan struct {
	total  int // <iothreads>; 0 for none
	shared int // threads 1 to shared serve disks without a thread of their own
	pool   int // supplemental pool: all threads serve every virtio disk; 0 for none
}

// ioThreads decides the plan on first use.
func (s *state) ioThreads() *ioThreadPlan {
	if s.threads == nil {
		s.threads = &ioThreadPlan{}
	}
	return s.threads
}

func (s *state) ioThreadCount() {}
