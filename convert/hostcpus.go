package convert

// maxCells bounds the number of a host's NUMA cells and their ids; Linux has no
// more.
const maxCells = 1024

// hostCPUs reads the host's CPUs and those that the pod owns from the context. ok
// is false if something is missing or cannot be read; that has been refused then.
func (s *state) hostCPUs() (host hostCPUs, owned []int, ok bool) {
	before := len(s.problems)
	node := &s.ctx.Node
	owned = s.cpuListFact(fact("node.cpuSet"), node.CPUSet)
	if node.CPUSet == "" {
		s.refuse(fact("node.cpuSet"), nil, "dedicated CPUs are asked for, want the CPUs that are the pod's own")
	}
	if len(node.NUMA) == 0 {
		s.refuse(fact("node.numa"), nil, "dedicated CPUs are asked for, want the host's NUMA cells with their CPUs")
	}
	host.cells = s.hostCells()
	host.siblings = s.hostSiblings()
	return host, owned, len(s.problems) == before
}

// hostCells reads the host's cells in reported order, up to the first that cannot
// be right.
func (s *state) hostCells() []hostCell {
	facts := s.ctx.Node.NUMA
	if len(facts) > maxCells {
		s.refusef(fact("node.numa"), len(facts), "want at most %d NUMA cells", maxCells)
		return nil
	}
	cells := make([]hostCell, 0, len(facts))
	ids, cellOf := make(map[int]bool, len(facts)), make(map[int]int)
	for i := range facts {
		id, where := facts[i].ID, factAt("node.numa", i, "cpus")
		if id < 0 || id >= maxCells || ids[id] {
			s.refusef(factAt("node.numa", i, "id"), id, "want a number from 0 to %d that no other cell has", maxCells-1)
			return nil
		}
		ids[id] = true
		cpus := s.cpuListFact(where, facts[i].CPUs)
		for _, cpu := range cpus {
			if other, ok := cellOf[cpu]; ok {
				s.refusef(where, facts[i].CPUs, "CPU %d belongs to cell %d already", cpu, other)
				return nil
			}
			cellOf[cpu] = id
		}
		cells = append(cells, hostCell{id: id, cpus: cpus})
	}
	return cells
}

// hostSiblings reads which CPUs share a core, up to the first list that cannot be
// right.
func (s *state) hostSiblings() map[int][]int {
	if len(s.ctx.Node.Siblings) == 0 {
		return nil
	}
	siblings := make(map[int][]int)
	for i, text := range s.ctx.Node.Siblings {
		where := factAt("node.siblings", i, "")
		core := s.cpuListFact(where, text)
		for _, cpu := range core {
			if siblings[cpu] != nil {
				s.refusef(where, text, "CPU %d is a part of another core already", cpu)
				return nil
			}
			siblings[cpu] = core
		}
	}
	return siblings
}

// cpuListFact reads a CPU list of the context, or refuses it.
func (s *state) cpuListFact(where ref, text string) []int {
	ids, err := parseCPUList(text)
	if err != nil {
		s.refuse(where, text, err.Error())
	}
	return ids
}
