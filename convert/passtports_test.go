package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

func TestPortForwards(t *testing.T) {
	type forwards = []libvirtxml.DomainInterfaceSourcePortForward
	type ranges = []libvirtxml.DomainInterfaceSourcePortForwardRange
	mesh := func() (r ranges) {
		for _, p := range []uint{15000, 15001, 15004, 15006, 15008, 15009, 15020, 15021, 15053, 15090} {
			r = append(r, libvirtxml.DomainInterfaceSourcePortForwardRange{Start: p, Exclude: "yes"})
		}
		return r
	}
	for _, tc := range []struct {
		name, reason string
		ports        []v1.Port
		istio        bool
		want         forwards
	}{
		{"none", "no port named forwards everything", nil, false,
			forwards{{Proto: "tcp"}, {Proto: "udp"}}},
		{"tcp only", "naming TCP ports alone turns UDP off", []v1.Port{{Port: 80}, {Port: 443, Protocol: "TCP"}}, false,
			forwards{{Proto: "tcp", Ranges: ranges{{Start: 80}, {Start: 443}}}}},
		{"udp only", "naming UDP ports alone turns TCP off", []v1.Port{{Port: 53, Protocol: "udp"}}, false,
			forwards{{Proto: "udp", Ranges: ranges{{Start: 53}}}}},
		{"both", "each list keeps the order of the spec", []v1.Port{{Port: 53, Protocol: "UDP"}, {Port: 80}, {Port: 22}}, false,
			forwards{{Proto: "tcp", Ranges: ranges{{Start: 80}, {Start: 22}}}, {Proto: "udp", Ranges: ranges{{Start: 53}}}}},
		{"negative", "a negative port is left out, and then none is named", []v1.Port{{Port: -1}}, false,
			forwards{{Proto: "tcp"}, {Proto: "udp"}}},
		{"mesh", "the mesh keeps its ports, and UDP stays forwarded though upstream drops it", nil, true,
			forwards{{Proto: "tcp", Ranges: mesh()}, {Proto: "udp"}}},
		{"mesh with ports", "the worked example of the specification", []v1.Port{{Port: 8080}, {Port: 53, Protocol: "UDP"}}, true,
			forwards{{Proto: "tcp", Ranges: append(mesh(), libvirtxml.DomainInterfaceSourcePortForwardRange{Start: 8080})},
				{Proto: "udp", Ranges: ranges{{Start: 53}}}}},
		{"mesh with udp", "UDP ports named leave TCP with the mesh's exclusions alone", []v1.Port{{Port: 53, Protocol: "UDP"}}, true,
			forwards{{Proto: "tcp", Ranges: mesh()}, {Proto: "udp", Ranges: ranges{{Start: 53}}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ports, problems := forwardedPorts(tc.ports)
			if len(problems) > 0 {
				t.Fatalf("%s: problems %v", tc.reason, problems)
			}
			if diff := cmp.Diff(tc.want, portForwards(ports, tc.istio)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestForwardedPortProblems(t *testing.T) {
	for _, tc := range []struct {
		name, reason string
		port         v1.Port
		want         portProblem
	}{
		{"zero", "port 0 is no port", v1.Port{Port: 0}, portProblem{0, "port", "0", "want a port from 1 to 65535"}},
		{"large", "ports end at 65535", v1.Port{Port: 65536}, portProblem{0, "port", "65536", "want a port from 1 to 65535"}},
		{"protocol", "a port that is silently not forwarded is a puzzle", v1.Port{Port: 1, Protocol: "SCTP"},
			portProblem{0, "protocol", "SCTP", "passt forwards TCP and UDP"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ports, problems := forwardedPorts([]v1.Port{tc.port})
			if len(ports) != 0 || len(problems) != 1 || problems[0] != tc.want {
				t.Errorf("%s: got ports %v, problems %v, want %v", tc.reason, ports, problems, tc.want)
			}
		})
	}
}

func TestInIstioMesh(t *testing.T) {
	for _, tc := range []struct {
		reason, value string
		want          bool
	}{
		{"the usual spelling", "true", true},
		{"case does not count", "True", true},
		{"any other word is no", "yes", false},
		{"nothing is no", "", false},
	} {
		if got := inIstioMesh(map[string]string{istioInject: tc.value}); got != tc.want {
			t.Errorf("%s: %q gives %v, want %v", tc.reason, tc.value, got, tc.want)
		}
	}
}
