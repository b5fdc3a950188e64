package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// maxInput bounds what is read of one file: a domain may have as much.
const maxInput = 16 << 20

// readInput reads a file, or standard input for "-".
func readInput(cmd *cobra.Command, name string) ([]byte, error) {
	in := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a directory, want a file", name)
		}
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", label(name), err)
	case len(data) > maxInput:
		return nil, &refusal{err: fmt.Errorf("%s: more than %d bytes; at most that many are read", label(name), maxInput)}
	}
	return data, nil
}

// onlyOneStdin refuses a command line that reads standard input twice.
func onlyOneStdin(names ...string) error {
	count := 0
	for _, name := range names {
		if name == "-" {
			count++
		}
	}
	if count > 1 {
		return &usageError{fmt.Errorf("- (standard input) can be read only once, found %d times", count)}
	}
	return nil
}

// label names a file in messages.
func label(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}
