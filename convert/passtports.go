package convert

import (
	"fmt"
	"strings"

	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// istioInject is the annotation that puts a pod into an Istio mesh.
const istioInject = "sidecar.istio.io/inject"

// istioPorts are the ports the mesh's own proxy listens on inside the pod; forwarding them
// to the guest would take them away from it (network.md 8.2).
var istioPorts = [...]uint{15000, 15001, 15004, 15006, 15008, 15009, 15020, 15021, 15053, 15090}

// inIstioMesh tells whether the pod runs beside an Istio proxy.
func inIstioMesh(annotations map[string]string) bool {
	return strings.EqualFold(annotations[istioInject], "true")
}

// forwardedPort is one port that passt passes on to the guest.
type forwardedPort struct {
	index int // in the interface's list of ports
	proto string
	port  uint
}

// forwardedPorts reads the port list of a passt interface. A negative port forwards nothing
// and is left out, as upstream does; a port that does not exist and a protocol that passt
// cannot forward are problems, which upstream passes over.
func forwardedPorts(ports []v1.Port) (found []forwardedPort, problems []portProblem) {
	for i, p := range ports {
		proto := strings.ToLower(p.Protocol)
		switch {
		case p.Port < 0:
		case p.Port == 0 || p.Port > 65535:
			problems = append(problems, portProblem{i, "port", fmt.Sprint(p.Port), "want a port from 1 to 65535"})
		case proto == "" || proto == "tcp":
			found = append(found, forwardedPort{i, "tcp", uint(p.Port)})
		case proto == "udp":
			found = append(found, forwardedPort{i, "udp", uint(p.Port)})
		default:
			problems = append(problems, portProblem{i, "protocol", p.Protocol, "passt forwards TCP and UDP"})
		}
	}
	return found, problems
}

// portProblem is a port that cannot be forwarded: where, which of its fields and why.
type portProblem struct {
	index  int
	field  string
	value  string
	reason string
}

// portForwards says what passt forwards to the guest. Without any port named it is
// everything; with ports named it is those alone, so that naming only TCP ports turns UDP
// off and the reverse. Beside an Istio proxy the mesh's ports are kept out of TCP, which
// says nothing about UDP: with no port named all of UDP stays forwarded, which upstream
// forgets.
func portForwards(ports []forwardedPort, istio bool) []libvirtxml.DomainInterfaceSourcePortForward {
	tcp := libvirtxml.DomainInterfaceSourcePortForward{Proto: "tcp"}
	udp := libvirtxml.DomainInterfaceSourcePortForward{Proto: "udp"}
	if istio {
		for _, p := range istioPorts {
			tcp.Ranges = append(tcp.Ranges, libvirtxml.DomainInterfaceSourcePortForwardRange{Start: p, Exclude: "yes"})
		}
	}
	for _, p := range ports {
		r := libvirtxml.DomainInterfaceSourcePortForwardRange{Start: p.port}
		if p.proto == "udp" {
			udp.Ranges = append(udp.Ranges, r)
		} else {
			tcp.Ranges = append(tcp.Ranges, r)
		}
	}
	if len(ports) == 0 {
		return []libvirtxml.DomainInterfaceSourcePortForward{tcp, udp}
	}
	var both []libvirtxml.DomainInterfaceSourcePortForward
	for _, f := range []libvirtxml.DomainInterfaceSourcePortForward{tcp, udp} {
		if len(f.Ranges) > 0 {
			both = append(both, f)
		}
	}
	return both
}
