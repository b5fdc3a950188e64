package convert

import "slices"

// featureGate is a feature that a cluster may have switched on or off.
type featureGate struct {
	name string
	beta bool // on unless disabled; else off unless enabled
}

// enabled says whether the cluster has the feature (compute.md 26).
func (s *state) enabled(g featureGate) bool {
	dev := s.ctx.Cluster.DeveloperConfiguration
	if g.beta {
		return dev == nil || !slices.Contains(dev.DisabledFeatureGates, g.name)
	}
	return dev != nil && slices.Contains(dev.FeatureGates, g.name)
}

// needs refuses what takes a feature that the cluster does not have.
func (s *state) needs(g featureGate, where ref) {
	if s.enabled(g) {
		return
	}
	want := "featureGates"
	if g.beta {
		want = "disabledFeatureGates without"
	}
	s.refuse(where, nil, "feature gate "+g.name+" is off, want "+contextPrefix+"cluster.developerConfiguration."+want+" "+g.name)
}
