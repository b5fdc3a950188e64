package convert

// guestCell is a NUMA cell of a guest that sees the cells its vCPUs run on.
type guestCell struct {
	host  int   // id of the host cell
	vcpus []int // in the order of their pins
}

// guestCells gives each host cell that runs a vCPU a guest cell, in the order in which the host reports its cells.
// pins holds the host CPU of every vCPU. A vCPU on a CPU that no cell has is in none of the guest cells and is listed
// in stray.
func guestCells(pins []int, host []hostCell) (cells []guestCell, stray []int) {
	cellOf := make(map[int]int)
	for i, cell := range host {
		for _, id := range cell.cpus {
			cellOf[id] = i
		}
	}
	vcpus := make([][]int, len(host))
	for vcpu, id := range pins {
		i, ok := cellOf[id]
		if !ok {
			stray = append(stray, vcpu)
			continue
		}
		vcpus[i] = append(vcpus[i], vcpu)
	}
	for i, cell := range host {
		if len(vcpus[i]) > 0 {
			cells = append(cells, guestCell{host: cell.id, vcpus: vcpus[i]})
		}
	}
	return cells, stray
}

// splitMemory shares total bytes, a multiple of page, out to n cells in whole pages. Pages that are left over go to
// the first cells, one each.
func splitMemory(total, page uint64, n int) []uint64 {
	pages := total / page
	each, over := pages/uint64(n), pages%uint64(n)
	shares := make([]uint64, n)
	for i := range shares {
		shares[i] = each * page
		if uint64(i) < over {
			shares[i] += page
		}
	}
	return shares
}
