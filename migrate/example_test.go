package migrate_test

import (
	"fmt"

	"github.com/migxml/migxml/migrate"
)

func Example() {
	source := []byte(`<domain type='kvm' id='3'>
  <name>shop_vm-a</name>
  <devices>
    <disk type='file' device='disk'>
      <source file='/srv/pods/a/disk.img'/>
      <target dev='vda' bus='virtio'/>
      <alias name='ua-root'/>
    </disk>
  </devices>
</domain>
`)
	facts, err := migrate.ParseFacts("target.yaml", []byte(`
paths: [{from: /srv/pods/a, to: /srv/pods/b}]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := migrate.NewPlan(source, facts, migrate.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range plan.Edits {
		fmt.Printf("line %d, %s: %s: %s -> %s\n", e.Line, e.Rule, e.Device, e.Old, e.New)
	}
	dest, err := plan.Apply()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", dest)
	// Output:
	// line 1, ID-6: domain: 3 -> (removed)
	// line 5, paths: disk vda (root): /srv/pods/a/disk.img -> /srv/pods/b/disk.img
	// <domain type='kvm'>
	//   <name>shop_vm-a</name>
	//   <devices>
	//     <disk type='file' device='disk'>
	//       <source file='/srv/pods/b/disk.img'/>
	//       <target dev='vda' bus='virtio'/>
	//       <alias name='ua-root'/>
	//     </disk>
	//   </devices>
	// </domain>
}

func ExampleVerify() {
	source := []byte(`<domain><name>shop_vm-a</name><vcpu>2</vcpu></domain>`)
	dest := []byte(`<domain><name>shop_vm-a</name><vcpu>4</vcpu></domain>`)
	fmt.Println(migrate.Verify(source, dest, migrate.Facts{}))
	// Output: vcpu, /domain/vcpu: source has 2, destination has 4: the guest can see this value, so it must not change
}
