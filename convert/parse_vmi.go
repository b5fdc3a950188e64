package convert

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	v1 "kubevirt.io/api/core/v1"
)

// ParseVMI reads the one VirtualMachineInstance or VirtualMachine of a YAML or
// JSON stream; name is what messages call it. Other kinds of object in the
// stream are passed over, as manifests often bring their Secrets and claims
// along; List objects are looked into. A VirtualMachine becomes the VMI that
// starting it would create. Reading is strict: an unknown or misspelt field, one
// that is given twice and a value of the wrong type are all reported with their
// lines, as *ParseErrors joined by errors.Join.
func ParseVMI(name string, data []byte) (*v1.VirtualMachineInstance, error) {
	docs, err := readYAML(name, data)
	if err != nil {
		return nil, err
	}
	machines, others, err := findMachines(name, docs)
	if err != nil {
		return nil, err
	}
	switch {
	case len(machines) == 0 && len(others) == 0:
		return nil, &ParseError{Name: name, Reason: "empty; want a VirtualMachineInstance or a VirtualMachine"}
	case len(machines) == 0:
		return nil, &ParseError{Name: name, Reason: "holds " + strings.Join(others, ", ") + "; want a VirtualMachineInstance or a VirtualMachine"}
	case len(machines) > 1:
		n := machines[1].node
		return nil, &ParseError{Name: name, Line: n.Line, Column: n.Column, Value: machines[1].kind,
			Reason: fmt.Sprintf("one of %d machines; want one VirtualMachineInstance or VirtualMachine", len(machines))}
	}
	return decodeMachine(name, machines[0])
}

const (
	kindVMI = "VirtualMachineInstance"
	kindVM  = "VirtualMachine"
	group   = "kubevirt.io/"
)

// machineNode is an object of the stream that can be converted.
type machineNode struct {
	kind string
	node *yaml.Node
}

func findMachines(name string, docs []*yaml.Node) (machines []machineNode, others []string, err error) {
	for _, n := range docs {
		if n.Kind != yaml.MappingNode {
			return nil, nil, &ParseError{Name: name, Line: n.Line, Column: n.Column, Reason: "want an object with apiVersion and kind"}
		}
		kind, version := child(n, "kind"), child(n, "apiVersion")
		switch {
		case kind == nil || version == nil:
			return nil, nil, &ParseError{Name: name, Line: n.Line, Column: n.Column, Reason: "want an object with apiVersion and kind"}
		case (kind.Value == kindVMI || kind.Value == kindVM) && strings.HasPrefix(version.Value, group):
			if version.Value != group+"v1" && version.Value != group+"v1alpha3" {
				return nil, nil, &ParseError{Name: name, Line: version.Line, Column: version.Column, Field: "apiVersion", Value: version.Value, Reason: "want " + group + "v1"}
			}
			machines = append(machines, machineNode{kind.Value, n})
		case strings.HasSuffix(kind.Value, "List") && child(n, "items") != nil && child(n, "items").Kind == yaml.SequenceNode:
			m, o, err := findMachines(name, listItems(child(n, "items"), strings.TrimSuffix(kind.Value, "List"), version.Value))
			if err != nil {
				return nil, nil, err
			}
			machines, others = append(machines, m...), append(others, o...)
		default:
			others = append(others, "a "+shorten(kind.Value))
		}
	}
	return machines, others, nil
}

// listItems are the objects of a list. The items of a typed list may leave out
// kind and version.
func listItems(items *yaml.Node, kind, version string) []*yaml.Node {
	var list []*yaml.Node
	for _, n := range items.Content {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		if n.Kind == yaml.MappingNode && kind != "" && child(n, "kind") == nil && child(n, "apiVersion") == nil {
			typed := *n
			typed.Content = append([]*yaml.Node{text("apiVersion"), text(version), text("kind"), text(kind)}, n.Content...)
			n = &typed
		}
		list = append(list, n)
	}
	return list
}

func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

// child is the value behind a key of a mapping, nil if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			if v := n.Content[i+1]; v.Kind != yaml.AliasNode {
				return v
			}
			return n.Content[i+1].Alias
		}
	}
	return nil
}

func decodeMachine(name string, m machineNode) (*v1.VirtualMachineInstance, error) {
	d := &decoder{name: name}
	if m.kind == kindVMI {
		vmi := &v1.VirtualMachineInstance{}
		d.decode(m.node, reflect.ValueOf(vmi).Elem(), "", 0)
		if err := d.err(); err != nil {
			return nil, err
		}
		return vmi, nil
	}
	vm := &v1.VirtualMachine{}
	d.decode(m.node, reflect.ValueOf(vm).Elem(), "", 0)
	if err := d.err(); err != nil {
		return nil, err
	}
	return startVM(name, m.node, vm)
}

// startVM makes the VMI that starting vm creates, before admission (defaults.md
// 1, stage B; the rest of that stage is part of defaulting, which knows such a
// VMI by its owner).
func startVM(name string, n *yaml.Node, vm *v1.VirtualMachine) (*v1.VirtualMachineInstance, error) {
	for field, set := range map[string]bool{"spec.instancetype": vm.Spec.Instancetype != nil, "spec.preference": vm.Spec.Preference != nil} {
		if set {
			return nil, &ParseError{Name: name, Line: n.Line, Column: n.Column, Field: field,
				Reason: "is kept in the cluster; give the VirtualMachineInstance, or the VirtualMachine with it expanded"}
		}
	}
	if vm.Spec.Template == nil {
		return nil, &ParseError{Name: name, Line: n.Line, Column: n.Column, Field: "spec.template", Reason: "is missing"}
	}
	vmi := &v1.VirtualMachineInstance{
		TypeMeta:   metav1.TypeMeta{APIVersion: group + "v1", Kind: kindVMI},
		ObjectMeta: vm.Spec.Template.ObjectMeta,
		Spec:       vm.Spec.Template.Spec,
	}
	vmi.Name, vmi.Namespace = vm.Name, vm.Namespace
	vmi.OwnerReferences = []metav1.OwnerReference{{APIVersion: group + "v1", Kind: kindVM, Name: vm.Name, UID: vm.UID}}
	return vmi, nil
}
