package convert

import (
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/pathmap"
)

const (
	graphicsField = "spec.domain.devices.autoattachGraphicsDevice"
	videoField    = "spec.domain.devices.video"

	// videoRAM is the video memory in KiB of VGA and of every model asked for by name.
	videoRAM = 16384
)

// graphics adds the display: a VNC socket and the video device behind it (compute.md 20.7).
func (s *state) graphics() {
	if isFalse(s.vmi.Spec.Domain.Devices.AutoattachGraphicsDevice) {
		return
	}
	d := s.device("graphics", len(s.dom.Devices.Graphics))
	socket := libvirtxml.DomainGraphicListener{Socket: &libvirtxml.DomainGraphicListenerSocket{Socket: s.podFile(pathmap.Layout.VNCSocket)}}
	s.dom.Devices.Graphics = append(s.dom.Devices.Graphics, libvirtxml.DomainGraphic{
		VNC: &libvirtxml.DomainGraphicVNC{Listeners: []libvirtxml.DomainGraphicListener{socket}},
	})
	d.policy("", "the display is served on a socket that only the pod can reach", field(graphicsField))
	d.because("listen/@socket", podFileReason, field("metadata.uid"))
	s.video()
}

// video adds the video device: the one asked for, or the one the firmware can drive. A video
// device without a type means the latter, as the API says; upstream writes none then, which
// libvirt does not read.
func (s *state) video() {
	model := libvirtxml.DomainVideoModel{Heads: 1}
	var reason string
	asked := s.vmi.Spec.Domain.Devices.Video
	switch {
	case asked != nil && asked.Type != "":
		model.Type, model.VRam, reason = asked.Type, videoRAM, "the video device asked for"
		s.oneOf(field(videoField+".type"), asked.Type,
			"vga", "cirrus", "virtio", "bochs", "ramfb", "qxl", "none", "vmvga", "xen", "vbox", "gop")
	case !s.amd64():
		model.Type, reason = "virtio", "this architecture has no VGA"
	case s.ctx.BochsForEFIGuests && s.bootsByEFI():
		model.Type, reason = "bochs", "EFI needs no VGA compatibility"
	default:
		model.Type, model.VRam, reason = "vga", videoRAM, "the video device every amd64 firmware can drive"
	}
	s.addVideo(model, reason)
}

func (s *state) addVideo(model libvirtxml.DomainVideoModel, reason string) {
	d := s.device("video", len(s.dom.Devices.Videos))
	s.dom.Devices.Videos = append(s.dom.Devices.Videos, libvirtxml.DomainVideo{Model: model})
	if !d.on() {
		return
	}
	from := []ref{field(videoField + ".type")}
	if asked := s.vmi.Spec.Domain.Devices.Video; asked == nil || asked.Type == "" {
		from = append(from, fact("node.architecture"), fact("bochsForEFIGuests"), field("spec.domain.firmware.bootloader.efi"))
	}
	d.policy("model/@heads", "one monitor", field(graphicsField))
	d.because("model/@type", reason, from...)
	d.policy("model/@vram", "16 MiB of video memory where the model has a say in it", append(from, field(graphicsField))...)
}

// bootsByEFI tells whether the VMI asks for EFI.
func (s *state) bootsByEFI() bool {
	f := s.vmi.Spec.Domain.Firmware
	return f != nil && f.Bootloader != nil && f.Bootloader.EFI != nil
}
