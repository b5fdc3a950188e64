//go:build integration

package integration

import "os"

// A program that uses this package starts itself again under these names (argv[0]).
const (
	podName    = "migxml-pod"
	keeperName = "migxml-keeper"
)

// The other roles of the program are taken on here, before its main function or its tests: a program that forgot to
// ask for them would start itself over and over.
func init() {
	switch {
	case os.Args[0] == podName:
		os.Exit(runPod())
	case os.Args[0] == keeperName && len(os.Args) == 2:
		os.Exit(runKeeper(os.Args[1]))
	}
}
