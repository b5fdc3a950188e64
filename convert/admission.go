package convert

import (
	v1 "kubevirt.io/api/core/v1"
)

// checks are the rules of KubeVirt's admission that conversion does not need.
var checks = []step{
	{"machine", (*state).admitMachine},
	{"cpu", (*state).admitCPU},
	{"memory", (*state).admitMemory},
	{"firmware", (*state).admitFirmware},
	{"launch security", (*state).admitLaunchSecurity},
	{"hyper-v", (*state).admitHyperV},
	{"disks", (*state).admitDisks},
	{"volumes", (*state).admitVolumes},
	{"filesystems", (*state).admitFilesystems},
	{"io threads", (*state).admitIOThreads},
	{"interfaces", (*state).admitNICs},
	{"networks", (*state).admitNetworks},
	{"devices", (*state).admitDevices},
	{"host devices", (*state).admitHostDevices},
}

// Admission lists what KubeVirt's admission would refuse about vmi although it
// can be converted. It looks at the defaulted VMI, as admission does; it says
// nothing about what VMI refuses itself.
func Admission(vmi *v1.VirtualMachineInstance, ctx Context) []*FieldError {
	s, err := begin(vmi, &ctx, nil)
	if err != nil {
		return nil
	}
	s.problems = nil
	for i := range checks {
		checks[i].run(s)
	}
	list := make([]*FieldError, 0, len(s.problems))
	for _, p := range s.problems {
		if e, ok := p.(*FieldError); ok {
			list = append(list, e)
		}
	}
	return list
}
