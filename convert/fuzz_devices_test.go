package convert

import (
	"errors"
	"math/rand"
	"testing"

	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// Values of which random devices are made, good ones and bad ones.
var (
	someNames     = []string{"a", "b", "blue", "Red", "data_1", "x.y", "", "a b"}
	someMACs      = []string{"", "", "02:00:00:00:00:01", "02-00-00-00-00-02", "03:00:00:00:00:01", "nonsense"}
	someModels    = []string{"", "", "virtio", "e1000", "rtl8139", "bad model"}
	somePlaces    = []string{"", "", "", "0000:06:00.0", "0000:00:03.0", "0000:07:00.0", "06:00.0"}
	someHosts     = []string{"0000:81:11.1", "0000:81:11.2", "0000:3d:01.2", "0000:3D:01.3", "bad"}
	someUUIDs     = []string{"1d1a6d52-6b7f-4b8a-9b57-53f0b7f1c0aa", "2d1a6d52-6b7f-4b8a-9b57-53f0b7f1c0aa", "bad"}
	someResources = []string{"example.com/pci", "example.com/mdev", "example.com/usb", "example.com/none", ""}
	somePlugins   = []string{"tap", "managed", "hook", "nobody"}
	someStates    = []v1.InterfaceState{"", "", "", v1.InterfaceStateLinkUp, v1.InterfaceStateLinkDown, v1.InterfaceStateAbsent}
)

func one[T any](r *rand.Rand, list []T) T { return list[r.Intn(len(list))] }

func randomNIC(r *rand.Rand) v1.Interface {
	nic := v1.Interface{Name: one(r, someNames[:5]), MacAddress: one(r, someMACs), Model: one(r, someModels), PciAddress: one(r, somePlaces), State: one(r, someStates)}
	if r.Intn(20) == 0 {
		nic.Name = one(r, someNames)
	}
	switch r.Intn(12) {
	case 0, 1, 2:
		nic.Bridge = &v1.InterfaceBridge{}
	case 3, 4, 5:
		nic.Masquerade = &v1.InterfaceMasquerade{}
	case 6, 7:
		nic.SRIOV = &v1.InterfaceSRIOV{}
	case 8, 9:
		nic.PasstBinding = &v1.InterfacePasstBinding{}
		nic.Ports = []v1.Port{{Port: int32(r.Intn(4) * 100), Protocol: one(r, []string{"", "TCP", "udp", "SCTP"})}}
	case 10:
		nic.Binding = &v1.PluginBinding{Name: one(r, somePlugins)}
	}
	if r.Intn(4) == 0 {
		order := uint(r.Intn(5))
		nic.BootOrder = &order
	}
	nic.ACPIIndex = r.Intn(4) - 1
	return nic
}

func randomNetwork(r *rand.Rand, name string) v1.Network {
	n := v1.Network{Name: name}
	switch r.Intn(5) {
	case 0:
		n.Pod = &v1.PodNetwork{}
	case 1:
		n.ResourceClaim = &v1.ClaimRequest{ClaimName: "claim", RequestName: one(r, []string{"pci", "mdev", "none", ""})}
	default:
		n.Multus = &v1.MultusNetwork{NetworkName: "n", Default: r.Intn(5) == 0}
	}
	return n
}

// randomDevices is a VMI with random NICs and host devices, and a context that knows about
// many of them.
func randomDevices(r *rand.Rand) (*v1.VirtualMachineInstance, Context) {
	vmi := &v1.VirtualMachineInstance{}
	vmi.Name, vmi.Namespace = "vm-a", "shop"
	if r.Intn(4) == 0 {
		vmi.Annotations = map[string]string{placeOnRootComplex: "true"}
	}
	d := &vmi.Spec.Domain.Devices
	multiqueue := r.Intn(2) == 0
	d.NetworkInterfaceMultiQueue = &multiqueue
	ctx := Context{SRIOV: map[string]string{}, ResourceClaims: map[string]map[string]ClaimedDevice{
		"claim": {"pci": {PCI: one(r, someHosts)}, "mdev": {MDev: one(r, someUUIDs)}}}}
	ctx.Node.Architecture = one(r, []string{"amd64", "arm64", "s390x"})
	for range r.Intn(5) {
		nic := randomNIC(r)
		d.Interfaces = append(d.Interfaces, nic)
		if r.Intn(10) > 0 {
			vmi.Spec.Networks = append(vmi.Spec.Networks, randomNetwork(r, nic.Name))
		}
		if r.Intn(10) > 0 {
			ctx.SRIOV[nic.Name] = one(r, someHosts)
			vmi.Status.Interfaces = append(vmi.Status.Interfaces, v1.VirtualMachineInstanceNetworkInterface{Name: nic.Name, PodInterfaceName: "eth0"})
		}
	}
	for range r.Intn(3) {
		d.HostDevices = append(d.HostDevices, v1.HostDevice{Name: one(r, someNames), DeviceName: one(r, someResources)})
		d.GPUs = append(d.GPUs, v1.GPU{Name: one(r, someNames), ClaimRequest: &v1.ClaimRequest{ClaimName: "claim", RequestName: one(r, []string{"pci", "mdev", "none"})}})
	}
	ctx.HostDevices = map[string]HostAddresses{"example.com/pci": {PCI: someHosts}, "example.com/mdev": {MDev: someUUIDs}, "example.com/usb": {USB: []string{"1:3", "1:4", "bad"}}}
	ctx.Cluster.NetworkConfiguration = &v1.NetworkConfiguration{Binding: map[string]v1.InterfaceBindingPlugin{
		"tap": {DomainAttachmentType: v1.Tap}, "managed": {DomainAttachmentType: v1.ManagedTap}, "hook": {}}}
	if r.Intn(3) == 0 {
		ctx.Network.Links = map[string]LinkFacts{"eth0": {MAC: one(r, someMACs), MTU: 1450}, "tap0": {}, hashedPodLink("blue"): {MTU: 70000}, "net1": {MTU: 1400}}
	}
	return vmi, ctx
}

// checkDevices holds a conversion of random devices to what every conversion promises: it
// refuses with FieldErrors alone, or gives a domain that libvirtxml reads and whose every
// value has a cause.
func checkDevices(t *testing.T, seed int64) (converted bool) {
	vmi, ctx := randomDevices(rand.New(rand.NewSource(seed)))
	r, err := VMI(vmi, ctx)
	for i := range vmi.Spec.Domain.Devices.Interfaces {
		if _, err := TapOf(vmi, ctx, vmi.Spec.Domain.Devices.Interfaces[i].Name); err != nil {
			checkRefusal(t, seed, err)
		}
	}
	Admission(vmi, ctx)
	if err != nil {
		checkRefusal(t, seed, err)
		return false
	}
	text, err := r.XML()
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if err := new(libvirtxml.Domain).Unmarshal(text); err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, text)
	}
	e, err := Explain(vmi, ctx)
	if err != nil {
		t.Fatalf("seed %d: converted but not explained: %v", seed, err)
	}
	for _, c := range e.Causes {
		if c.Reason == noCause {
			t.Errorf("seed %d: %s has no cause", seed, c.Path)
		}
	}
	return true
}

func checkRefusal(t *testing.T, seed int64, err error) {
	t.Helper()
	for _, e := range causesOf(err) {
		var refusal *FieldError
		if !errors.As(e, &refusal) || refusal.Field == "" || refusal.Reason == "" {
			t.Errorf("seed %d: %v is no FieldError", seed, e)
		}
	}
}

func FuzzDevices(f *testing.F) {
	for seed := range int64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) { checkDevices(t, seed) })
}

// TestRandomDevices converts enough random devices to show something.
func TestRandomDevices(t *testing.T) {
	converted := 0
	for seed := range int64(600) {
		if checkDevices(t, seed) {
			converted++
		}
	}
	if converted < 60 {
		t.Errorf("only %d of 600 can be converted, too few to show anything", converted)
	}
}
