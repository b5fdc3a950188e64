// Command migxml writes the domain XML of a virtual machine that moves: the
// XML that boots a KubeVirt VirtualMachineInstance, and the XML with which a
// running guest arrives on its target pod. See README.md, or migxml --help.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
