package convert

// nameSet remembers names. The few names of an ordinary VMI are searched one by
// one, which is faster than hashing them; a huge VMI must not take forever.
type nameSet struct {
	few  []string
	many map[string]struct{}
}

const fewNames = 40

func newNameSet(size int) *nameSet {
	if size > fewNames {
		return &nameSet{many: make(map[string]struct{}, size)}
	}
	return &nameSet{few: make([]string, 0, size)}
}

func (n *nameSet) add(name string) {
	switch {
	case n.many != nil:
		n.many[name] = struct{}{}
	case len(n.few) < fewNames:
		n.few = append(n.few, name)
	default:
		n.many = make(map[string]struct{}, 2*fewNames)
		for _, have := range n.few {
			n.many[have] = struct{}{}
		}
		n.many[name] = struct{}{}
	}
}

func (n *nameSet) has(name string) bool {
	if n.many != nil {
		_, ok := n.many[name]
		return ok
	}
	for _, have := range n.few {
		if have == name {
			return true
		}
	}
	return false
}
