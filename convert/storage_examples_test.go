package convert

import "testing"

func TestDisksWithThreadsAndQueues(t *testing.T) {
	s := storageOf(t, `metadata: {name: shop-db, namespace: shop}
spec:
  architecture: amd64
  domain:
    ioThreadsPolicy: auto
    cpu: {cores: 2}
    resources: {requests: {cpu: "2"}}
    devices:
      blockMultiQueue: true
      disks:
      - {name: system, bootOrder: 1, dedicatedIOThread: true, disk: {bus: virtio}}
      - {name: orders, serial: Shop-7, cache: writeback, io: threads, disk: {bus: scsi, readonly: true}}
      - {name: raw, lun: {bus: scsi, reservation: true}, serial: ignored, shareable: true}
      - {name: seed, cdrom: {bus: sata}}
      - {name: spare, errorPolicy: report, disk: {bus: virtio, pciAddress: "0000:02:1f.7"}}
  volumes:
  - {name: system, containerDisk: {image: registry.example.com/os}}
  - {name: orders, hostDisk: {path: /srv/orders.img, type: Disk}}
  - {name: raw, persistentVolumeClaim: {claimName: p}}
  - {name: seed, cloudInitNoCloud: {userData: "#cloud-config"}}
  - {name: spare, dataVolume: {name: d}}
`, "volumes: {system: {format: qcow2}, raw: {mode: Block}}")
	assertDisks(t, s, `
<disk type="file" device="disk" model="virtio-non-transitional">
  <driver name="qemu" type="qcow2" error_policy="stop" discard="unmap" iothread="4" queues="2"/>
  <source file="/var/run/kubevirt-ephemeral-disks/disk-data/system/disk.qcow2"/>
  <backingStore type="file">
    <format type="qcow2"/>
    <source file="/var/run/kubevirt/container-disks/disk_0.img"/>
  </backingStore>
  <target dev="vda" bus="virtio"/>
  <boot order="1"/>
  <alias name="ua-system"/>
</disk>
<disk type="file" device="disk">
  <driver name="qemu" type="raw" cache="writeback" io="threads" error_policy="stop" discard="unmap"/>
  <source file="/var/run/kubevirt-private/vmi-disks/orders/orders.img"/>
  <target dev="sda" bus="scsi"/>
  <readonly/>
  <serial>Shop-7</serial>
  <alias name="ua-orders"/>
  <address type="drive" controller="0" bus="0" unit="0"/>
</disk>
<disk type="block" device="lun">
  <driver name="qemu" type="raw" error_policy="stop" discard="unmap"/>
  <source dev="/dev/raw">
    <reservations managed="no" migration="yes">
      <source type="unix" path="/var/run/kubevirt/daemons/pr/pr-helper.sock" mode="client"/>
    </reservations>
  </source>
  <target dev="sdb" bus="scsi"/>
  <alias name="ua-raw"/>
  <address type="drive" controller="0" bus="0" unit="1"/>
</disk>
<disk type="file" device="cdrom">
  <driver name="qemu" type="raw" error_policy="stop"/>
  <source file="/var/run/kubevirt-ephemeral-disks/cloud-init-data/shop/shop-db/noCloud.iso"/>
  <target dev="sdc" bus="sata" tray="closed"/>
  <readonly/>
  <alias name="ua-seed"/>
</disk>
<disk type="file" device="disk" model="virtio-non-transitional">
  <driver name="qemu" type="raw" error_policy="report" discard="unmap" iothread="1" queues="2"/>
  <source file="/var/run/kubevirt-private/vmi-disks/spare/disk.img"/>
  <target dev="vdb" bus="virtio"/>
  <alias name="ua-spare"/>
  <address type="pci" domain="0x0000" bus="0x02" slot="0x1f" function="0x7"/>
</disk>`, "what LUNs and CD-ROMs do not have is ignored on them")
}

func TestDisksOfARunningGuest(t *testing.T) {
	s := storageOf(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [
    {name: system, disk: {bus: virtio}},
    {name: orders, disk: {bus: virtio}},
    {name: tray, cdrom: {bus: sata}},
    {name: added, disk: {bus: scsi}},
    {name: coming, disk: {bus: scsi}}]}}
  volumes:
  - {name: system, dataVolume: {name: d}}
  - {name: orders, persistentVolumeClaim: {claimName: a}}
  - {name: added, persistentVolumeClaim: {claimName: b}}
  - {name: coming, persistentVolumeClaim: {claimName: c}}
status:
  runtimeUser: 107
  volumeStatus:
  - {name: system, target: vda}
  - {name: orders, target: vdb}
  - {name: added, target: sdc, phase: Ready, hotplugVolume: {}, persistentVolumeClaimInfo: {preallocated: true}}
  - {name: coming, target: "", phase: AttachedToNode, hotplugVolume: {}}
`, "volumes: {orders: {mode: Block, changedBlockTracking: /var/run/kubevirt-private/libvirt/qemu/cbt/orders.qcow2}, added: {mode: Block}}")
	assertDisks(t, s, `
<disk type="file" device="disk" model="virtio-non-transitional">
  <driver name="qemu" type="raw" error_policy="stop" discard="unmap"/>
  <source file="/var/run/kubevirt-private/vmi-disks/system/disk.img"/>
  <target dev="vda" bus="virtio"/>
  <alias name="ua-system"/>
</disk>
<disk type="file" device="disk" model="virtio-non-transitional">
  <driver name="qemu" type="qcow2" error_policy="stop" discard="unmap"/>
  <source file="/var/run/kubevirt-private/libvirt/qemu/cbt/orders.qcow2">
    <dataStore type="block"><format type="raw"/><source dev="/dev/orders"/></dataStore>
  </source>
  <target dev="vdb" bus="virtio"/>
  <alias name="ua-orders"/>
</disk>
<disk type="block" device="cdrom">
  <driver name="qemu" type="raw" error_policy="stop" discard="unmap"/>
  <target dev="sda" bus="sata" tray="closed"/>
  <readonly/>
  <alias name="ua-tray"/>
</disk>
<disk type="block" device="disk">
  <driver name="qemu" type="raw" error_policy="stop"/>
  <source dev="/var/run/kubevirt/hotplug-disks/added"/>
  <target dev="sdc" bus="scsi"/>
  <alias name="ua-added"/>
  <address type="drive" controller="0" bus="0" unit="2"/>
</disk>`, "a disk that is not there yet keeps its place")
}

func TestDisksUnderSecureExecution(t *testing.T) {
	s := storageOf(t, `metadata: {name: vm-a, namespace: shop}
spec:
  architecture: s390x
  domain:
    launchSecurity: {}
    ioThreadsPolicy: supplementalPool
    ioThreads: {supplementalPoolThreadCount: 2}
    devices:
      useVirtioTransitional: true
      disks:
      - {name: scratch, disk: {bus: virtio}, blockSize: {custom: {logical: 512, physical: 4096, discardGranularity: 0}}}
      - {name: tools, cdrom: {bus: virtio, readonly: false, tray: open}, blockSize: {custom: {physical: 4096}, matchVolume: {}}}
      - {name: metrics, disk: {bus: virtio}, cache: none, io: native, errorPolicy: enospace}
  volumes:
  - {name: scratch, emptyDisk: {capacity: 1Gi}}
  - {name: tools, configMap: {name: t}}
  - {name: metrics, downwardMetrics: {}}
`, "node: {architecture: s390x}")
	assertDisks(t, s, `
<disk type="file" device="disk" model="virtio">
  <driver name="qemu" type="qcow2" error_policy="stop" discard="unmap" iommu="on">
    <iothreads><iothread id="1"/><iothread id="2"/></iothreads>
  </driver>
  <source file="/var/run/libvirt/empty-disks/scratch.qcow2"/>
  <blockio logical_block_size="512" physical_block_size="4096" discard_granularity="0"/>
  <target dev="vda" bus="virtio"/>
  <alias name="ua-scratch"/>
</disk>
<disk type="file" device="cdrom">
  <driver name="qemu" type="raw" error_policy="stop" iommu="on">
    <iothreads><iothread id="1"/><iothread id="2"/></iothreads>
  </driver>
  <source file="/var/run/kubevirt-private/config-map-disks/tools.iso"/>
  <blockio physical_block_size="4096"/>
  <target dev="vdb" bus="virtio" tray="open"/>
  <alias name="ua-tools"/>
</disk>
<disk type="file" device="disk" model="virtio">
  <driver name="qemu" type="raw" error_policy="enospace">
    <iothreads><iothread id="1"/><iothread id="2"/></iothreads>
  </driver>
  <source file="/var/run/kubevirt-private/downwardapi-disks/vhostmd0"/>
  <target dev="vdc" bus="virtio"/>
  <readonly/>
  <alias name="ua-metrics"/>
</disk>`, "a CD-ROM has no model; given sizes count more than those of the volume; the disk of metrics has a driver of its own")
}

func TestMetricsOnSCSIHaveAModel(t *testing.T) {
	s := storageOf(t, oneDiskVMI("disk: {bus: scsi}", "downwardMetrics: {}"), "")
	assertDisks(t, s, `
<disk type="file" device="disk" model="virtio-non-transitional">
  <driver name="qemu" type="raw" error_policy="stop"/>
  <source file="/var/run/kubevirt-private/downwardapi-disks/vhostmd0"/>
  <target dev="sda" bus="scsi"/>
  <readonly/>
  <alias name="ua-root"/>
  <address type="drive" controller="0" bus="0" unit="0"/>
</disk>`, "on any bus")
}
