//go:build integration

package integration

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What one pod has, the other one and the host do not see.
func TestPodsAreApart(t *testing.T) {
	lab := newLab(t)
	a, err := lab.StartPod(PodConfig{Name: "a"})
	require.NoError(t, err)
	b, err := lab.StartPod(PodConfig{Name: "b", Root: installed.Trixie})
	require.NoError(t, err)

	require.NoError(t, a.WriteFile("/var/run/kubevirt-private/file", []byte("a")))
	require.FileExists(t, a.Path("/var/run/kubevirt-private/file"))
	require.NoFileExists(t, b.Path("/var/run/kubevirt-private/file"))
	require.NoFileExists(t, "/run/kubevirt-private/file")
	require.NoError(t, a.WriteFile("/etc/only-in-a", nil))
	require.NoFileExists(t, "/etc/only-in-a", "the pod's root directory is an overlay")

	require.NoError(t, a.Tap("tap0", 1450))
	links, err := b.IP("-brief", "link")
	require.NoError(t, err)
	require.NotContains(t, links, "tap0")

	for pod, want := range map[*Pod]string{a: "9.0.0", b: "11.3.0"} {
		version, err := pod.Virsh("version", "--daemon")
		require.NoError(t, err)
		require.Contains(t, version, "Running against daemon: "+want)
		name, err := pod.Virsh("hostname")
		require.NoError(t, err)
		require.Equal(t, pod.Name, strings.TrimSpace(name))
	}
}

func TestLoopDeviceFreesItself(t *testing.T) {
	lab := newLab(t)
	image := filepath.Join(lab.Dir, "block.img")
	require.NoError(t, os.WriteFile(image, []byte("first bytes"), 0o600))
	require.NoError(t, os.Truncate(image, 1<<20))
	dev, err := lab.Loop(image)
	require.NoError(t, err)
	pod, err := lab.StartPod(PodConfig{Name: "a"})
	require.NoError(t, err)
	require.NoError(t, pod.BlockDevice("/dev/data", dev))

	f, err := os.Open(pod.Path("/dev/data"))
	require.NoError(t, err)
	text, err := bufio.NewReader(f).Peek(11)
	require.NoError(t, err)
	require.Equal(t, "first bytes", string(text))
	require.NoError(t, f.Close())

	backing := fmt.Sprintf("/sys/block/loop%d/loop/backing_file", dev.Number)
	require.FileExists(t, backing)
	require.NoError(t, lab.Close())
	require.Eventually(t, func() bool {
		name, err := os.ReadFile(backing)
		return err != nil || strings.TrimSpace(string(name)) != image
	}, 10*time.Second, 50*time.Millisecond)
}

// A process that is killed with a guest running leaves no process, no loop device and no file.
func TestNothingIsLeft(t *testing.T) {
	if os.Getenv("MIGXML_LEAVE") != "" {
		leaveGuestRunning()
		return
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestNothingIsLeft$")
	cmd.Env = append(os.Environ(), "MIGXML_LEAVE=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	dir, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	dir = strings.TrimSpace(dir)
	require.DirExists(t, dir)
	require.NotEmpty(t, users(t, dir))

	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool {
		_, err := os.Stat(dir)
		return os.IsNotExist(err) && len(users(t, dir)) == 0
	}, 20*time.Second, 50*time.Millisecond, "left: %v", users(t, dir))
}

// leaveGuestRunning prints the lab's directory once a guest and a loop device are there, and waits to be killed.
func leaveGuestRunning() {
	s, err := NewScene(installed, SceneConfig{})
	if err != nil {
		panic(err)
	}
	if _, err := s.Lab.Loop(s.TargetImage); err != nil {
		panic(err)
	}
	dom, err := s.Define()
	if err == nil {
		err = dom.Create()
	}
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Lab.Dir)
	select {}
}

// users are the processes and loop devices that name a directory: in their arguments, or through an open file.
func users(t *testing.T, dir string) (names []string) {
	t.Helper()
	loops, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	require.NoError(t, err)
	for _, file := range loops {
		if name, _ := os.ReadFile(file); strings.HasPrefix(string(name), dir) {
			names = append(names, file)
		}
	}
	files, err := filepath.Glob("/proc/[0-9]*/fd/*")
	require.NoError(t, err)
	for _, file := range files {
		if name, _ := os.Readlink(file); strings.HasPrefix(name, dir) {
			names = append(names, file+" "+name)
		}
	}
	return names
}
