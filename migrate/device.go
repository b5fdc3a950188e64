package migrate

import (
	"strings"

	"github.com/migxml/migxml/migrate/internal/xmledit"
)

// deviceOf names the device that an element belongs to, for a reader: kind,
// then what a person knows it by. Whatever is no device is named by its
// section.
func deviceOf(e xmledit.Element) string {
	root := e
	var device, section xmledit.Element
	for root.Parent().Exists() {
		device, section, root = section, root, root.Parent()
	}
	switch {
	case !section.Exists():
		return "domain"
	case section.Name() != "devices" || !device.Exists():
		return section.Name()
	}
	return deviceName(device.Local(), func(child, attr string) string {
		if child == "" {
			return device.Attr(attr).Value()
		}
		return device.Child(child).Attr(attr).Value()
	})
}

// deviceName builds the name from the element's tag and a way to look up its
// attributes, its own (child "") or a child's.
func deviceName(tag string, get func(child, attr string) string) string {
	alias, users := strings.CutPrefix(get("alias", "name"), "ua-")
	known := ""
	switch tag {
	case "disk", "filesystem":
		known = get("target", "dev") + get("target", "dir")
	case "interface":
		if !users {
			known = get("mac", "address")
		}
	case "serial", "console", "parallel":
		known = get("target", "port")
	case "channel":
		known = get("target", "name")
	case "graphics", "tpm", "input":
		known = get("", "type")
	case "controller":
		known = get("", "type") + " " + get("", "index")
	}
	switch {
	case users && known != "":
		return tag + " " + known + " (" + alias + ")"
	case users || known == "" && alias != "":
		return tag + " " + alias
	case known != "":
		return tag + " " + known
	}
	return tag
}
