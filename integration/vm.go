//go:build integration

package integration

import (
	"strings"
	"text/template"
)

// The firmware that both generations have.
const (
	EFICode = "/usr/share/OVMF/OVMF_CODE_4M.fd"
	EFIVars = "/usr/share/OVMF/OVMF_VARS_4M.fd"
)

// BootDir is where pods see the guest's kernel and initramfs, as with a kernel boot container.
const BootDir = "/var/run/kubevirt/container-disks/kernel-boot"

// An Identity is what a guest is called in one cluster. The paths of its pod follow from it.
type Identity struct{ Namespace, Name, UID string }

// Domain is the libvirt name.
func (i Identity) Domain() string { return i.Namespace + "_" + i.Name }

// Private is the directory of the guest's sockets and logs in its pod.
func (i Identity) Private() string { return "/var/run/kubevirt-private/" + i.UID }

// CloudInit is the guest's cloud-init image in its pod.
func (i Identity) CloudInit() string {
	return "/var/run/kubevirt-ephemeral-disks/cloud-init-data/" + i.Namespace + "/" + i.Name + "/noCloud.iso"
}

// NVRAM is the guest's EFI variable store in its pod.
func (i Identity) NVRAM() string {
	return "/var/run/kubevirt-private/libvirt/qemu/nvram/" + i.Name + "_VARS.fd"
}

// Console is the guest's serial port in its pod.
func (i Identity) Console(p *Pod) Console {
	return Console{Log: p.Path(i.Private() + "/virt-serial0-log"), Socket: p.Path(i.Private() + "/virt-serial0")}
}

// A VM describes the migration tests' guest: what is guest ABI is fixed, what belongs to its pod is not.
type VM struct {
	Identity
	UUID string
	Disk string // the image of its data disk, a path in the pod
	Tap  string // the tap device of its NIC, in the pod
	EFI  bool
}

// XML is the guest's domain as the source pod defines it, with the marks that KubeVirt leaves.
func (v VM) XML() (string, error) {
	var b strings.Builder
	err := vmTemplate.Execute(&b, v)
	return b.String(), err
}

var vmTemplate = template.Must(template.New("vm").Parse(`<domain type='qemu'>
  <name>{{.Domain}}</name>
  <uuid>{{.UUID}}</uuid>
  <metadata>
    <kubevirt xmlns='http://kubevirt.io'>
      <uid>{{.UID}}</uid>
    </kubevirt>
    <v:note xmlns:v='urn:example.com:note'>kept as it is</v:note>
  </metadata>
  <memory unit='MiB'>192</memory>
  <vcpu>1</vcpu>
  <os>
    <type arch='x86_64' machine='pc-q35-7.2'>hvm</type>
{{- if .EFI}}
    <loader readonly='yes' secure='no' type='pflash'>/usr/share/OVMF/OVMF_CODE_4M.fd</loader>
    <nvram template='/usr/share/OVMF/OVMF_VARS_4M.fd'>{{.NVRAM}}</nvram>
{{- end}}
    <kernel>/var/run/kubevirt/container-disks/kernel-boot/vmlinuz</kernel>
    <initrd>/var/run/kubevirt/container-disks/kernel-boot/initrd</initrd>
    <cmdline>console=ttyS0 quiet oops=panic panic=-1</cmdline>
  </os>
  <features>
    <acpi/>
  </features>
  <cpu mode='custom' match='exact'>
    <model>qemu64</model>
  </cpu>
  <clock offset='utc'/>
  <on_poweroff>destroy</on_poweroff>
  <on_reboot>restart</on_reboot>
  <on_crash>destroy</on_crash>
  <devices>
    <disk type='file' device='disk'>
      <driver name='qemu' type='raw' cache='none' error_policy='stop' discard='unmap'/>
      <source file='{{.Disk}}'/>
      <target dev='vda' bus='virtio'/>
      <serial>data</serial>
      <alias name='ua-data'/>
    </disk>
    <disk type='file' device='cdrom'>
      <driver name='qemu' type='raw' error_policy='stop'/>
      <source file='{{.CloudInit}}'/>
      <target dev='sda' bus='sata'/>
      <readonly/>
      <alias name='ua-cloudinit'/>
    </disk>
    <controller type='usb' index='0' model='none'/>
    <controller type='virtio-serial' index='0'/>
    <interface type='ethernet'>
      <mac address='02:00:00:00:00:01'/>
      <target dev='{{.Tap}}' managed='no'/>
      <model type='virtio-non-transitional'/>
      <mtu size='1450'/>
      <rom enabled='no'/>
      <alias name='ua-default'/>
    </interface>
    <serial type='unix'>
      <source mode='bind' path='{{.Private}}/virt-serial0'/>
      <log file='{{.Private}}/virt-serial0-log' append='on'/>
      <target type='isa-serial' port='0'/>
    </serial>
    <console type='unix'>
      <source mode='bind' path='{{.Private}}/virt-serial0'/>
      <log file='{{.Private}}/virt-serial0-log' append='on'/>
      <target type='serial' port='0'/>
    </console>
    <channel type='unix'>
      <source mode='bind' path='{{.Private}}/virt-agent'/>
      <target type='virtio' name='org.qemu.guest_agent.0'/>
    </channel>
    <graphics type='vnc'>
      <listen type='socket' socket='{{.Private}}/virt-vnc'/>
    </graphics>
    <video>
      <model type='vga' heads='1' vram='16384'/>
      <alias name='ua-video'/>
    </video>
    <memballoon model='virtio-non-transitional'>
      <stats period='10'/>
    </memballoon>
    <rng model='virtio'>
      <backend model='random'>/dev/urandom</backend>
    </rng>
  </devices>
</domain>
`))
