package convert

// hostCell is a NUMA node of the host: its id and its CPUs in the order the host reports them.
type hostCell struct {
	id   int
	cpus []int
}

// hostCPUs is what placement has to know of the host: its cells, and for a CPU with siblings the CPUs of its core. A
// CPU without an entry is a core of its own.
type hostCPUs struct {
	cells    []hostCell
	siblings map[int][]int
}

// cpuPool holds the pod's exclusive CPUs, arranged so that the threads of a guest core come from one host core where
// that is possible, and otherwise from one host cell.
type cpuPool struct {
	threads int // of a guest core
	cells   []poolCell
}

// poolCell is what is left of one host cell.
type poolCell struct {
	full  [][]int // cores with at least as many free threads as a guest core has
	loose []int   // single threads
}

// newCPUPool arranges those CPUs of the host that the pod owns for guest cores of the given number of threads.
func newCPUPool(host hostCPUs, owned []int, threads int) *cpuPool {
	pool := &cpuPool{threads: threads}
	free := make(map[int]bool, len(owned))
	for _, id := range owned {
		free[id] = true
	}
	for _, cell := range host.cells {
		var left poolCell
		for _, core := range ownedCores(cell.cpus, host.siblings, free) {
			left.put(core, threads)
		}
		pool.cells = append(pool.cells, left)
	}
	return pool
}

// ownedCores groups the free ones among cpus into cores and marks them as no longer free. A core keeps the order in
// which the host lists its threads.
func ownedCores(cpus []int, siblings map[int][]int, free map[int]bool) [][]int {
	var cores [][]int
	for _, id := range cpus {
		members := siblings[id]
		if len(members) == 0 {
			members = []int{id}
		}
		var core []int
		for _, member := range members {
			if free[member] {
				delete(free, member)
				core = append(core, member)
			}
		}
		if len(core) > 0 {
			cores = append(cores, core)
		}
	}
	return cores
}

// put files the free threads of one core.
func (c *poolCell) put(core []int, threads int) {
	if len(core) >= threads {
		c.full = append(c.full, core)
		return
	}
	c.loose = append(c.loose, core...)
}

// takeFull takes n threads of the cell's first full core. A core with less than a guest core left becomes loose.
func (c *poolCell) takeFull(n, threads int) []int {
	core := c.full[0]
	taken, rest := core[:n], core[n:]
	if len(rest) >= threads {
		c.full[0] = rest
		return taken
	}
	c.full = c.full[1:]
	c.loose = append(c.loose, rest...)
	return taken
}

// takeLoose takes the first n loose threads of the cell.
func (c *poolCell) takeLoose(n int) []int {
	taken := c.loose[:n]
	c.loose = c.loose[n:]
	return taken
}

// takeCores finds host CPUs for n guest cores and returns them in the order of the guest's vCPUs, together with the
// number of cores it found no place for. Whole host cores go first, then loose threads of one cell. Only with spanning
// may a guest core be put together from threads of several cells, and only if all of its threads find a place.
func (p *cpuPool) takeCores(n int, spanning bool) (cpus []int, unplaced int) {
	for i := range p.cells {
		for c := &p.cells[i]; n > 0 && len(c.full) > 0; n-- {
			cpus = append(cpus, c.takeFull(p.threads, p.threads)...)
		}
	}
	for i := range p.cells {
		for c := &p.cells[i]; n > 0 && len(c.loose) >= p.threads; n-- {
			cpus = append(cpus, c.takeLoose(p.threads)...)
		}
	}
	for spanning && n > 0 && p.looseThreads() >= p.threads {
		for range p.threads {
			id, _ := p.takeThread()
			cpus = append(cpus, id)
		}
		n--
	}
	return cpus, n
}

// looseThreads counts the loose threads of all cells.
func (p *cpuPool) looseThreads() int {
	n := 0
	for _, c := range p.cells {
		n += len(c.loose)
	}
	return n
}

// takeThread takes one more thread, for a helper thread of QEMU: a loose one if the first cell with anything left has
// one, else the first thread of its first full core. It reports whether there was any.
func (p *cpuPool) takeThread() (id int, ok bool) {
	for i := range p.cells {
		switch c := &p.cells[i]; {
		case len(c.loose) > 0:
			return c.takeLoose(1)[0], true
		case len(c.full) > 0:
			return c.takeFull(1, p.threads)[0], true
		}
	}
	return 0, false
}
