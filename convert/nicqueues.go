package convert

// maxNICQueues is the most queues a tap can have.
const maxNICQueues = 256

// nicQueues is the number of queues of a virtio NIC on a tap (network.md 5): one for
// each vCPU the guest starts with, where the VMI asks for several; otherwise 0, which is
// one queue and no setting. Sockets that could be plugged in later do not count.
func (s *state) nicQueues() uint {
	if !isTrue(s.vmi.Spec.Domain.Devices.NetworkInterfaceMultiQueue) {
		return 0
	}
	return min(s.topology().vcpus(), maxNICQueues)
}
