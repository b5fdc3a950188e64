package xmledit_test

import (
	"errors"
	"fmt"

	"github.com/beevik/etree"

	"github.com/migxml/migxml/migrate/internal/xmledit"
)

// A path is changed in two places; everything else stays as it was written.
func Example() {
	src := `<domain type="kvm">
  <devices>
    <disk device='disk'>
      <source file='/srv/pods/a/disk.img'/>  <!-- thin -->
    </disk>
  </devices>
</domain>
`
	d, err := xmledit.Parse([]byte(src), xmledit.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	disk := d.Root().Child("devices").Child("disk")
	moved, err := disk.Child("source").Attr("file").Set("/srv/pods/b/disk.img")
	if err != nil {
		fmt.Println(err)
		return
	}
	boot := etree.NewElement("boot")
	boot.CreateAttr("order", "1")
	added, err := disk.Append(boot)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range []xmledit.Change{moved, added} {
		line, column := d.Position(c.Start)
		fmt.Printf("%d:%d: %q becomes %q\n", line, column, c.Before, c.After)
	}
	out, err := d.Apply([]xmledit.Change{moved, added})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(out)
	// Output:
	// 4:21: "/srv/pods/a/disk.img" becomes "/srv/pods/b/disk.img"
	// 5:1: "" becomes "      <boot order='1'/>\n"
	// <domain type="kvm">
	//   <devices>
	//     <disk device='disk'>
	//       <source file='/srv/pods/b/disk.img'/>  <!-- thin -->
	//       <boot order='1'/>
	//     </disk>
	//   </devices>
	// </domain>
}

// What is there already is looked up by a path.
func ExampleDocument_Find() {
	d, err := xmledit.Parse([]byte(`<domain><devices><disk device='cdrom'/><disk device='disk'><alias name='ua-data'/></disk></devices></domain>`), xmledit.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range d.Find("/domain/devices/disk[@device='disk']/alias/@name") {
		fmt.Println(n.Path(), n.Value())
	}
	// Output:
	// /domain/devices/disk[2]/alias/@name ua-data
}

// A refusal says where.
func ExampleError() {
	_, err := xmledit.Parse([]byte("<domain>\n  <name>a & b</name>\n</domain>"), xmledit.Limits{})
	var e *xmledit.Error
	if errors.As(err, &e) {
		fmt.Println(e.Line, e.Column)
	}
	fmt.Println(err)
	// Output:
	// 2 11
	// 2:11: '&' starts no reference; write '&amp;'
}
