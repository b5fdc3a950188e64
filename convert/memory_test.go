package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestWholeBytes(t *testing.T) {
	tests := []struct {
		text   string
		want   uint64
		reason string
	}{
		{"1.5Gi", 1610612736, "an integral quantity is exact, also one held as a decimal"},
		{"1536Mi", 1610612736, "the same in the form the API server stores"},
		{"100Ti", 109951162777600, "large ones are exact, too"},
		{"64M", 64000000, "decimal units"},
		{"1500m", 1, "a fraction of a byte is dropped"},
		{"1", 1, "a single byte"},
		{"0", 0, "nothing"},
		{"0.1", 0, "less than a byte"},
		{"1.0000001Ki", 1024, "a fraction beside whole bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			q := resource.MustParse(tt.text)
			before := q.DeepCopy()
			if got := wholeBytes(q); got != tt.want {
				t.Errorf("wholeBytes(%s) = %d, want %d", tt.text, got, tt.want)
			}
			if diff := cmp.Diff(before, q); diff != "" {
				t.Errorf("the quantity was written to:\n%s", diff)
			}
		})
	}
}

func TestMemory(t *testing.T) {
	const stage = "cluster: {vmRolloutStrategy: Stage}"
	runComputeRows(t, "memory", []computeRow{
		{"memory: {guest: 2Gi}", stage, "@unit=b =2147483648", "guest memory in bytes"},
		{"memory: {guest: 1Gi}\n    resources: {requests: {memory: 4Gi}}", stage, "@unit=b =1073741824", "memory.guest goes before what the pod gets"},
		{"memory: {}\n    resources: {requests: {memory: 64M}, limits: {memory: 128M}}", stage, "@unit=b =64000000", "the request goes before the limit"},
		{"memory: {}\n    resources: {limits: {memory: 128M}}", stage, "@unit=b =128000000", "the limit where nothing is requested"},
		{"memory: {hugepages: {pageSize: 1Gi}}", stage, "@unit=b =1073741824", "a single huge page where no size is given"},
		{"memory: {}", stage, "@unit=b =0", "no memory at all, which is for admission to refuse"},
		{"memory: {guest: 1Gi, maxGuest: 3Gi}", "", "@unit=b =1073741824", "room to grow does not change what it starts with"},
	})
	runComputeRows(t, "maxMemory", []computeRow{
		{"memory: {guest: 2Gi}", "", "@unit=b =8589934592", "defaulting makes room for four times the memory"},
		{"memory: {guest: 2Gi}", stage, "", "none without live updates"},
		{"memory: {guest: 1Gi, maxGuest: 3Gi}", stage, "@unit=b =3221225472", "room that the VMI asks for"},
		{"memory: {guest: 1Gi, maxGuest: 1024Mi}", "", "", "no room is no element, however it is spelt"},
		{"memory: {guest: 2Gi}", "node: {architecture: s390x}", "", "no room by default on s390x"},
		{"memory: {guest: 2Gi}\n    launchSecurity: {sev: {}}", "", "", "nor for guests whose memory is encrypted"},
	})
	runRefusals(t, []computeRow{
		{"memory: {guest: -1Gi}", "", `spec.domain.memory.guest: "-1Gi": memory cannot be negative`, "negative memory"},
		{"memory: {maxGuest: 1Gi}", "", `spec.domain.memory.maxGuest: "1Gi": guest memory that may grow has to start somewhere, want memory.guest as well`, "a limit alone"},
		{"memory: {guest: 1Gi, maxGuest: -1}", "", `spec.domain.memory.maxGuest: "-1": memory cannot be negative`, "a negative limit"},
		{"memory: {guest: 100E}", "", `spec.domain.memory.guest: "100E": more memory than can be counted in bytes`, "beyond 64 bits"},
	})
}

func TestMemoryBacking(t *testing.T) {
	const (
		memfd  = " source/@type=memfd"
		shared = " access/@mode=shared"
		share  = "\n    devices: {autoattachPodInterface: false, filesystems: [{name: f, virtiofs: {}}]}\n---\n"
		volume = "\nspec:\n  volumes: [{name: f, persistentVolumeClaim: {claimName: claim-f}}]"
	)
	runComputeRows(t, "memoryBacking", []computeRow{
		{"memory: {guest: 1Gi}", "", "", "ordinary memory needs nothing"},
		{"memory: {guest: 1Gi, hugepages: {pageSize: 2Mi}}", "", "hugepages=" + memfd, "huge pages come as a memfd"},
		{"memory: {guest: 1Gi, hugepages: {pageSize: 2Mi}}\n---\n" + annotated(memfdAnnotation, "false"), "", "hugepages=", "unless the annotation says no"},
		{"memory: {guest: 1Gi, hugepages: {pageSize: 2Mi}}\n---\n" + annotated(memfdAnnotation, "False"), "", "hugepages=" + memfd, "in just that word"},
		{"memory: {guest: 1Gi}" + share + volume, "", memfd + shared, "virtiofsd maps guest memory"},
		{"memory: {guest: 1Gi, hugepages: {pageSize: 2Mi}}" + share + annotated(memfdAnnotation, "false") + volume, "",
			"hugepages=" + memfd + shared, "whatever the annotation says"},
	})
	runComputeRows(t, "cpu/numa", []computeRow{
		{"memory: {guest: 1Gi, hugepages: {pageSize: 2Mi}}\n    cpu: {sockets: 2, cores: 3, maxSockets: 4}", "",
			"cell/@id=0 cell/@cpus=0-11 cell/@memory=1048576 cell/@unit=KiB", "a memfd brings one cell, with the CPUs to come"},
		{"memory: {guest: 1Gi, hugepages: {pageSize: 2Mi}}\n    cpu: {sockets: 1, maxSockets: 1}", "",
			"cell/@id=0 cell/@cpus=0-0 cell/@memory=1048576 cell/@unit=KiB", "a range of one"},
		{"memory: {guest: 1Gi}", "", "", "and nothing else does"},
	})
}
