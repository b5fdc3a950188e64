//go:build integration

package integration

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A Console is a guest's serial port in one pod.
type Console struct {
	Log    string // the file that QEMU logs the port's output to, a path that the host can open
	Socket string // the port's unix socket, the same
}

// Text is everything that the guest printed in this pod so far. A log that is not there yet is empty.
func (c Console) Text() (string, error) {
	text, err := os.ReadFile(c.Log)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// Wait waits until the output matches and returns the match and its groups.
func (c Console) Wait(ctx context.Context, pattern *regexp.Regexp) ([]string, error) {
	for {
		text, err := c.Text()
		if err != nil {
			return nil, err
		}
		if m := pattern.FindStringSubmatch(text); m != nil {
			return m, nil
		}
		if err := sleep(ctx); err != nil {
			return nil, fmt.Errorf("integration: the guest did not print %q: %w; its last words:\n%s", pattern, err, lastLines(text, 20))
		}
	}
}

// sleep waits a moment, before the next look at a file.
func sleep(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(50 * time.Millisecond):
		return nil
	}
}

// lastCommand numbers the commands, so that an answer is never taken for another's.
var lastCommand atomic.Int64

// Run runs a command line in the guest's shell and returns its output, without the final newline. A status other than 0
// is an error.
func (c Console) Run(ctx context.Context, command string) (string, error) {
	conn, err := net.Dial("unix", c.Socket)
	if err != nil {
		return "", fmt.Errorf("integration: serial port: %w", err)
	}
	defer conn.Close()
	go func() { _, _ = io.Copy(io.Discard, conn) }() // else QEMU would wait for us; what it prints is in the log
	id := fmt.Sprintf("cmd%d.%d", os.Getpid(), lastCommand.Add(1))
	if _, err := fmt.Fprintf(conn, "%s %s\n", id, command); err != nil {
		return "", fmt.Errorf("integration: serial port: %w", err)
	}
	m, err := c.Wait(ctx, regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(id)+` done (\d+)$`))
	if err != nil {
		return "", fmt.Errorf("command %q: %w", command, err)
	}
	text, err := c.Text()
	if err != nil {
		return "", err
	}
	var out []string
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, id+": "); ok {
			out = append(out, strings.TrimSuffix(rest, "\n"))
		}
	}
	answer := strings.Join(out, "\n")
	if status, _ := strconv.Atoi(m[1]); status != 0 {
		return answer, fmt.Errorf("integration: command %q in the guest: exit status %d: %s", command, status, answer)
	}
	return answer, nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
