package migrate

import "go.yaml.in/yaml/v3"

// key reads the value of one key of a mapping.
type key func(r *factsReader, n *yaml.Node, path string, depth int)

// The keys of target.yaml, section by section.
var (
	factsKeys map[string]key
	// laterKeys belong to the format, but to rules that this build does not
	// have. Taking such a fact in silence would promise a change that nobody makes.
	laterKeys = []string{"detach", "volumes", "cpu", "vpmem", "interfaces", "hostDevices", "graphics", "serial",
		"perf", "rbd", "firmware", "emulator", "rng", "secrets", "source.volumes", "target.cgroup", "target.cpuSet",
		"target.numa", "policy.keepShares"}
)

func init() {
	source, target, migration, policy := sectionKeys()
	factsKeys = map[string]key{
		"source":    section(source),
		"target":    section(target),
		"migration": section(migration),
		"policy":    section(policy),
		"paths":     readPaths,
		"roots":     section(rootKeys()),
	}
}

func sectionKeys() (source, target, migration, policy map[string]key) {
	source = map[string]key{
		"namespace": nameKey(func(f *Facts) *string { return &f.Source.Namespace }),
		"name":      nameKey(func(f *Facts) *string { return &f.Source.Name }),
		"uid":       scalarKey(func(f *Facts) *string { return &f.Source.UID }),
		"libvirt":   scalarKey(func(f *Facts) *string { return &f.Source.Libvirt }),
		"qemu":      scalarKey(func(f *Facts) *string { return &f.Source.QEMU }),
	}
	target = map[string]key{
		"namespace": nameKey(func(f *Facts) *string { return &f.Target.Namespace }),
		"name":      nameKey(func(f *Facts) *string { return &f.Target.Name }),
		"uid":       scalarKey(func(f *Facts) *string { return &f.Target.UID }),
		"libvirt":   scalarKey(func(f *Facts) *string { return &f.Target.Libvirt }),
		"qemu":      scalarKey(func(f *Facts) *string { return &f.Target.QEMU }),
		"machines":  listKey(func(f *Facts) *[]string { return &f.Target.Machines }),
	}
	migration = map[string]key{
		"id":          scalarKey(func(f *Facts) *string { return &f.Migration.ID }),
		"collectedAt": scalarKey(func(f *Facts) *string { return &f.Migration.CollectedAt }),
	}
	policy = map[string]key{
		"strict": boolKey(func(f *Facts) *bool { return &f.Policy.Strict }),
		"side": section(map[string]key{
			"source": listKey(func(f *Facts) *[]string { return &f.Policy.Side.Source }),
			"target": listKey(func(f *Facts) *[]string { return &f.Policy.Side.Target }),
		}),
	}
	return source, target, migration, policy
}

// rootKeys are the keys of roots: where the pods' layout differs from the default.
func rootKeys() map[string]key {
	return map[string]key{
		"run":            scalarKey(func(f *Facts) *string { return &f.Roots.Run }),
		"private":        scalarKey(func(f *Facts) *string { return &f.Roots.Private }),
		"libvirt":        scalarKey(func(f *Facts) *string { return &f.Roots.Libvirt }),
		"devices":        scalarKey(func(f *Facts) *string { return &f.Roots.Devices }),
		"ephemeral":      scalarKey(func(f *Facts) *string { return &f.Roots.Ephemeral }),
		"emptyDisks":     scalarKey(func(f *Facts) *string { return &f.Roots.EmptyDisks }),
		"containerDisks": scalarKey(func(f *Facts) *string { return &f.Roots.ContainerDisks }),
		"hotplugDisks":   scalarKey(func(f *Facts) *string { return &f.Roots.HotplugDisks }),
		"cloudInit":      scalarKey(func(f *Facts) *string { return &f.Roots.CloudInit }),
		"ignition":       scalarKey(func(f *Facts) *string { return &f.Roots.Ignition }),
	}
}
