// Package integration runs real migrations on one machine.
//
// A [Lab] holds everything that one run makes. A [Pod] in it is what a virt-launcher pod is: mount, PID, network,
// UTS and IPC namespaces of its own, with a libvirtd of its own that starts QEMU (TCG, no KVM needed). Two pods see
// their disks, sockets and logs below different paths, so a path that was not rewritten does not open in the other
// one. A pod can run in another root directory, and so with another generation of libvirt and QEMU.
//
// A guest is Debian's cloud kernel with an initramfs made here ([Initrd]). It talks on its serial port, which
// [Console] reads from the log file that QEMU writes, and answers shell commands there.
//
// QEMU without KVM has a fault that a test must stay away from: a page that the guest writes in the very moment in which
// the migration reads the bitmap of written pages can be lost, and the guest's memory is then corrupt on the target. With
// QEMU 7.2 and a guest that never stops writing, on a busy machine, about one migration in five ended with a guest kernel
// that stumbled over its own lists; with a guest that sleeps between its counts none in forty did, nor with a downtime
// limit so large that memory moves in one pass (none in twelve). So a guest is idle while its memory moves.
//
// Nothing outlives the process that made the lab, however it ends: each pod's first process ends when the pipe from
// that process closes, the kernel ends everything in the pod's PID namespace with it, mounts live in the pod's mount
// namespace, loop devices free themselves, and a keeper process removes the lab's directory.
//
// Everything needs root on Linux, the packages and trees of install.sh, cgo and the build tag integration. What is
// missing is a failure, never a skip.
package integration
