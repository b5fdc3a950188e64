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
		name, program, named := strings.Cut(h, "=")
		if !named {
			name, program = filepath.Base(h), h
		}
		if text, err = runHook(cmd, name, program, *c.limit, vmiJSON, text); err != nil {
			return "", &refusal{err: err}
		}
		if err := check(name, text); err != nil {
			return "", &refusal{err: err}
		}
	}
	return convert.HookOutput(text), nil
}

// runHook runs one program as KubeVirt's shim does (hooks.md 7): two flags, no
// standard input, the answer on standard output.
func runHook(cmd *cobra.Command, name, program string, limit time.Duration, vmiJSON, domainXML string) (string, error) {
	if size := max(len(vmiJSON), len(domainXML)); size >= maxArgSize {
		return "", &convert.HookError{Hook: name, Reason: fmt.Sprintf("cannot be run: VMI or domain has %d bytes, an argument holds less than %d", size, maxArgSize)}
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), limit)
	defer cancel()
	run := exec.CommandContext(ctx, program, "--vmi", vmiJSON, "--domain", domainXML)
	// A program that was started as a group is ended as one.
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	run.Cancel = func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGKILL) }
	run.WaitDelay = time.Second
	answer, words := &limited{max: maxAnswer}, &limited{max: maxWords}
	run.Stdout, run.Stderr = answer, words
	err := run.Run()
	said := strings.TrimSpace(words.String())
	switch {
	case ctx.Err() != nil && cmd.Context().Err() == nil:
		err = &convert.HookError{Hook: name, Reason: fmt.Sprintf("did not answer within %s", limit), Words: said}
	case answer.over:
		err = &convert.HookError{Hook: name, Reason: fmt.Sprintf("its answer has more than %d bytes", maxAnswer), Words: said}
	case err != nil:
		err = &convert.HookError{Hook: name, Reason: hookFailure(err), Words: said}
	default:
		for line := range strings.SplitSeq(said, "\n") {
			if line != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "hook %s: %s\n", name, plain(line))
			}
		}
	}
	return answer.String(), err
}

func hookFailure(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "failed with " + exit.Error()
	}
	return "cannot be run: " + err.Error()
}

// limited keeps what is written up to a limit and passes over the rest.
type limited struct {
	bytes.Buffer
	max  int
	over bool
}

var _ io.Writer = (*limited)(nil)

func (l *limited) Write(p []byte) (int, error) {
	if room := l.max - l.Len(); len(p) > room {
		l.over = true
		l.Buffer.Write(p[:room])
		return len(p), nil
	}
	return l.Buffer.Write(p)
}
