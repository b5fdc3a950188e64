package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/migxml/migxml/convert"
	"github.com/spf13/cobra"
	v1 "kubevirt.io/api/core/v1"
)

// Bounds on what a domain hook may take and say.
const (
	hookTime   = time.Minute
	maxAnswer  = 16 << 20
	maxWords   = 64 << 10 // of its standard error, in a message
	maxArgSize = 128 << 10
)

type hookLimit = time.Duration

func hookLimitFlag(cmd *cobra.Command) *hookLimit {
	return cmd.Flags().Duration("hook-timeout", hookTime, "time that each hook may take")
}

// runHooks passes the domain through the hooks in order and returns the last
// answer. check looks at each answer before the next hook sees it.
func (c conversion) runHooks(cmd *cobra.Command, r *convert.Result, vmi *v1.VirtualMachineInstance, facts convert.Context, check func(name, text string) error) (string, error) {
	vmiJSON, text, err := convert.HookInput(r, vmi, facts)
	if err != nil {
		return "", err
	}
	for _, h := range *c.hooks {
		name, program := hookOf(h)
		if text, err = runHook(cmd, name, program, *c.limit, vmiJSON, text); err != nil {
			return "", err
		}
		if err := check(name, text); err != nil {
			return "", &refusal{err: err}
		}
	}
	return convert.HookOutput(text), nil
}

// hookOf takes [NAME=]PROGRAM apart.
func hookOf(flag string) (name, program string) {
	name, program, named := strings.Cut(flag, "=")
	if !named {
		return filepath.Base(flag), flag
	}
	return name, program
}

// checkHooks refuses flags that name no program or no time.
func (c conversion) checkHooks() error {
	if c.hooks == nil {
		return nil // the command takes none
	}
	for _, h := range *c.hooks {
		if name, program := hookOf(h); name == "" || program == "" {
			return &usageError{fmt.Errorf("--hook %q: want [NAME=]PROGRAM", h)}
		}
	}
	if *c.limit <= 0 {
		return &usageError{fmt.Errorf("--hook-timeout %s: want more than nothing", *c.limit)}
	}
	return nil
}

// runHook runs one program as KubeVirt's shim does (hooks.md 7): two flags, no
// standard input, the answer on standard output. What the hook does wrong is a
// refusal; that it cannot be started is none.
func runHook(cmd *cobra.Command, name, program string, limit time.Duration, vmiJSON, domainXML string) (string, error) {
	if size := max(len(vmiJSON), len(domainXML)); size >= maxArgSize {
		return "", &refusal{err: &convert.HookError{Hook: name, Reason: fmt.Sprintf("cannot be run: VMI or domain has %d bytes, an argument holds less than %d", size, maxArgSize)}}
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), limit)
	defer cancel()
	run := exec.CommandContext(ctx, program, "--vmi", vmiJSON, "--domain", domainXML)
	// A program that was started as a group is ended as one.
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	run.Cancel = func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGKILL) }
	run.WaitDelay = time.Second
	answer, words := &limited{max: maxAnswer, stop: true}, &limited{max: maxWords}
	run.Stdout, run.Stderr = answer, words
	if err := run.Start(); err != nil {
		return "", fmt.Errorf("hook %s: cannot be run: %w", name, err)
	}
	err := run.Wait()
	said := strings.TrimSpace(words.kept.String())
	reason := ""
	switch {
	case ctx.Err() != nil && cmd.Context().Err() == nil:
		reason = fmt.Sprintf("did not answer within %s", limit)
	case answer.over:
		reason = fmt.Sprintf("its answer has more than %d bytes", maxAnswer)
	case errors.Is(err, exec.ErrWaitDelay):
		reason = "ended, but left a process that holds its standard output open"
	case err != nil:
		reason = "failed with " + err.Error()
	}
	if reason != "" {
		return "", &refusal{err: &convert.HookError{Hook: name, Reason: reason, Words: said}}
	}
	for line := range strings.SplitSeq(said, "\n") {
		if line != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "hook %s: %s\n", name, plain(line))
		}
	}
	return answer.kept.String(), nil
}

// limited keeps what is written up to a limit. Beyond it the rest is passed over, or,
// with stop, the writer is told to end.
type limited struct {
	kept bytes.Buffer // not embedded: io.Copy would find its ReadFrom, which knows no limit
	max  int
	stop bool
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	room := l.max - l.kept.Len()
	if len(p) <= room {
		return l.kept.Write(p)
	}
	l.over = true
	l.kept.Write(p[:room])
	if l.stop {
		return room, io.ErrShortWrite
	}
	return len(p), nil
}
