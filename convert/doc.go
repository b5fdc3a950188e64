// Package convert turns a VirtualMachineInstance and the facts about where it
// runs into the domain that libvirt boots.
package convert
