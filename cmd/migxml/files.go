package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// maxInput bounds what is read of one file. A domain may have 16 MiB, and a
// reader that stops one byte later can say so.
const maxInput = 16<<20 + 1

// readInput reads a file, or standard input for "-".
func readInput(cmd *cobra.Command, name string) ([]byte, error) {
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxInput))
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return data, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a directory, want a file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxInput))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
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
