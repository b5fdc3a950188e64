package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/beevik/etree"
	"github.com/stretchr/testify/require"
)

const fieldVMI = `apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: vm-a, namespace: shop, annotations: {kubevirt.io/ignitiondata: '{"ignition": {}}'}}
spec:
  domain:
    memory: {guest: 512Mi}
    devices:
      autoattachVSOCK: true
      tpm: {persistent: true}
      disks: [{name: root, disk: {bus: virtio}}, {name: ci, cdrom: {bus: sata}}, {name: hd, disk: {bus: virtio}}]
  volumes:
  - {name: root, emptyDisk: {capacity: 1Gi}}
  - {name: ci, cloudInitNoCloud: {userData: "#cloud-config\n"}}
  - {name: hd, hostDisk: {path: %DIR%/images/disk.img, type: DiskOrCreate, capacity: 1Gi}}
`

// 24: looking must not touch. No file is made, not even the image of a host disk
// that is made where it is missing; standard output is one document, remarks go
// to standard error, and the same input gives the same bytes.
func TestCase24LookingTouchesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.Mkdir("images", 0o755))
	text := bytes.ReplaceAll([]byte(fieldVMI), []byte("%DIR%"), []byte(dir))
	require.NoError(t, os.WriteFile("vmi.yaml", text, 0o444))
	before := tree(t, dir)
	var first []byte
	for range 3 {
		var out, words bytes.Buffer
		require.Equal(t, exitDone, run([]string{"convert", "vmi.yaml"}, nil, &out, &words), words.String())
		require.Contains(t, words.String(), "warning: ", "what admission would refuse")
		doc := etree.NewDocument()
		require.NoError(t, doc.ReadFromBytes(out.Bytes()))
		require.Equal(t, "domain", doc.Root().Tag)
		if first == nil {
			first = out.Bytes()
		}
		require.Equal(t, string(first), out.String())
	}
	for _, format := range []string{"text", "json", "yaml"} {
		var out, words bytes.Buffer
		require.Equal(t, exitDone, run([]string{"explain", "-o", format, "vmi.yaml"}, nil, &out, &words), words.String())
	}
	require.Equal(t, before, tree(t, dir))
}

// tree lists what is below a folder, with sizes and times of change.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	require.NoError(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			list = append(list, path+" "+info.Mode().String()+" "+info.ModTime().String())
		}
		return err
	}))
	return list
}
