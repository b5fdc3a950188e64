//go:build integration

package integration

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is for one scene: booting a guest takes ten seconds on an idle machine, and several times that on a busy one.
const patience = 5 * time.Minute

var installed Installed

func TestMain(m *testing.M) {
	var err error
	if installed, err = FindInstalled(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// go test, when it is killed, leaves its test process behind. This one ends then, and its pods with it.
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		fmt.Fprintln(os.Stderr, "integration: go test is gone")
		os.Exit(1)
	}()
	os.Exit(m.Run())
}

// newLab is a lab that ends with the test.
func newLab(t *testing.T) *Lab {
	t.Helper()
	lab, err := NewLab()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, lab.Close()) })
	return lab
}

// newScene is a scene that ends with the test, and shows the logs of its pods if the test failed.
func newScene(t *testing.T, c SceneConfig) (*Scene, context.Context) {
	t.Helper()
	s, err := NewScene(installed, c)
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.Logs())
		}
		require.NoError(t, s.Close())
	})
	ctx, cancel := context.WithTimeoutCause(t.Context(), patience, fmt.Errorf("no progress in %s", patience))
	t.Cleanup(cancel)
	return s, ctx
}
