package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const caseObstacles = `
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    memory: {guest: 1Gi}
    cpu: {features: [{name: invtsc, policy: require}]}
    devices:
      disks: [{name: root, disk: {bus: virtio}}]
      hostDevices: [{name: qat, deviceName: intel.com/qat}]
      interfaces: [{name: default, bridge: {}}]
  networks: [{name: default, pod: {}}]
  volumes: [{name: root, persistentVolumeClaim: {claimName: root-claim}}]
status:
  volumeStatus: [{name: root, target: vda, persistentVolumeClaimInfo: {accessModes: [ReadWriteOnce]}}]
`

// 22: a single-writer claim, a bridge on the pod network, a passthrough device
// and invtsc without a frequency are told in one run, each with its field and
// what would clear it.
func TestCase22Obstacles(t *testing.T) {
	want := []Obstacle{
		{Field: "spec.domain.cpu.features[0].policy", Value: "require", Reason: "an invariant TSC cannot move to a node whose TSC may run at another frequency",
			Clears: "a frequency in status.topologyHints.tscFrequency, or the feature left out"},
		{Field: "spec.domain.devices.hostDevices[0].deviceName", Value: "intel.com/qat", Reason: "a device of this node is passed through to the guest",
			Clears: "the device left out, or a guest that is stopped and started"},
		{Field: "spec.domain.devices.interfaces[0].bridge", Reason: "a bridge gives the guest the address of its pod, and the target pod has another",
			Clears: "masquerade, or annotation kubevirt.io/allow-pod-bridge-network-live-migration where the address may change"},
		{Field: "spec.volumes[0].persistentVolumeClaim.claimName", Value: "root-claim", Reason: "only one node at a time may use the claim",
			Clears: "access mode ReadWriteMany, or a copy of the storage", CopyStorage: true},
	}
	for range 5 {
		s := testState(t, caseObstacles, "")
		got, err := Obstacles(s.vmi, *s.ctx)
		require.NoError(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	}
}

func TestObstacles(t *testing.T) {
	for _, c := range []struct {
		reason, vmi, context string
		want                 []string
	}{
		{"a guest on masquerade without disks moves", "spec: {domain: {devices: {interfaces: [{name: default, masquerade: {}}]}}, networks: [{name: default, pod: {}}]}", "", nil},
		{"a bridge on another network", "spec: {domain: {devices: {interfaces: [{name: blue, bridge: {}}]}}, networks: [{name: blue, multus: {networkName: blue}}]}", "", nil},
		{"a bridge on the pod network that its annotation allows", "metadata: {annotations: {kubevirt.io/allow-pod-bridge-network-live-migration: \"\"}}\nspec: {domain: {devices: {}}}", "", nil},
		{"the bridge that the cluster attaches where nothing is said", "spec: {domain: {devices: {}}}", "", []string{"spec.domain.devices.interfaces[0].bridge"}},
		{"a plugin that is registered as movable", "spec: {domain: {devices: {interfaces: [{name: default, binding: {name: p}}]}}, networks: [{name: default, pod: {}}]}", "cluster: {network: {binding: {p: {migration: {}}}}}", nil},
		{"a plugin that is not", "spec: {domain: {devices: {interfaces: [{name: default, binding: {name: p}}]}}, networks: [{name: default, pod: {}}]}", "cluster: {network: {binding: {p: {}}}}", []string{"spec.domain.devices.interfaces[0].binding.name"}},
		{"the pod network through SR-IOV, and one without interface", "spec: {domain: {devices: {interfaces: [{name: default, sriov: {}}]}}, networks: [{name: default, pod: {}}, {name: lost, pod: {}}]}", "", []string{"spec.domain.devices.interfaces[0].name", "spec.networks[1].name"}},
		{"claims: shared by fact, not shared by fact, moved along, not known", `spec: {domain: {devices: {autoattachPodInterface: false}}, volumes: [{name: a, persistentVolumeClaim: {claimName: a}}, {name: b, dataVolume: {name: b}}, {name: c, dataVolume: {name: c}}, {name: d, dataVolume: {name: d}}]}
status: {migratedVolumes: [{volumeName: c}]}`, "volumes: {a: {shared: true}, b: {shared: false}}", []string{"spec.volumes[1].dataVolume.name", "spec.volumes[3].dataVolume.name"}},
		{"files of the node, shared and not, and what the pod makes itself", "spec: {domain: {devices: {autoattachPodInterface: false}}, volumes: [{name: a, hostDisk: {path: /a, type: Disk, shared: true}}, {name: b, hostDisk: {path: /b, type: Disk}}, {name: c, emptyDisk: {capacity: 1Gi}}]}", "", []string{"spec.volumes[1].hostDisk.path"}},
		{"SEV", "spec: {domain: {launchSecurity: {sev: {}}, devices: {autoattachPodInterface: false}}}", "", []string{"spec.domain.launchSecurity.sev"}},
		{"Secure Execution", "spec: {domain: {launchSecurity: {}, devices: {autoattachPodInterface: false}}}", "node: {architecture: s390x}", []string{"spec.domain.launchSecurity"}},
		{"an empty launch security means nothing elsewhere", "spec: {domain: {launchSecurity: {}, devices: {autoattachPodInterface: false}}}", "", nil},
		{"Hyper-V as the node has it", "spec: {domain: {features: {hypervPassthrough: {enabled: true}}, devices: {autoattachPodInterface: false}}}", "", []string{"spec.domain.features.hypervPassthrough.enabled"}},
		{"one vGPU where it can move", "spec: {domain: {devices: {autoattachPodInterface: false, gpus: [{name: g, deviceName: e.com/v}]}}}", "{hostDevices: {e.com/v: {mdev: [x]}}, cluster: {developerConfiguration: {featureGates: [VGPULiveMigration]}}}", nil},
		{"one vGPU without the gate", "spec: {domain: {devices: {autoattachPodInterface: false, gpus: [{name: g, deviceName: e.com/v}]}}}", "{hostDevices: {e.com/v: {mdev: [x]}}}", []string{"spec.domain.devices.gpus[0].deviceName"}},
		{"a vGPU and a whole one", "spec: {domain: {devices: {autoattachPodInterface: false, gpus: [{name: g, deviceName: e.com/v}, {name: h, deviceName: e.com/p}]}}}", "{hostDevices: {e.com/v: {mdev: [x]}, e.com/p: {pci: [y]}}}", []string{"spec.domain.devices.gpus[0].deviceName", "spec.domain.devices.gpus[1].deviceName"}},
		{"invtsc with a frequency, and invtsc that is only optional", "spec: {domain: {cpu: {features: [{name: invtsc, policy: require}]}, devices: {autoattachPodInterface: false}}}\nstatus: {topologyHints: {tscFrequency: 2000000000}}", "", nil},
		{"invtsc that is only optional", "spec: {domain: {cpu: {features: [{name: invtsc, policy: optional}]}, devices: {autoattachPodInterface: false}}}", "", nil},
	} {
		t.Run(c.reason, func(t *testing.T) {
			s := testState(t, c.vmi, c.context)
			list, err := Obstacles(s.vmi, *s.ctx)
			require.NoError(t, err)
			var got []string
			for _, o := range list {
				got = append(got, o.Field)
				assert.NotEmpty(t, o.Clears)
			}
			assert.Equal(t, c.want, got)
		})
	}
}
