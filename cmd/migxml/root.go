package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitDone    = 0
	exitFailed  = 1 // a file cannot be read or written, a daemon does not answer
	exitUsage   = 2 // the command line is wrong
	exitRefused = 3 // a rule lacks a fact, verification failed, an input is not convertible
)

// usageError is a command line that cannot be meant.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// refusal is an input that migxml understands and turns down. shown: the
// command has already told why.
type refusal struct {
	err   error
	shown bool
}

func (e *refusal) Error() string { return e.err.Error() }
func (e *refusal) Unwrap() error { return e.err }

// run is the whole program: data goes to stdout, words to stderr.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand(stdin, stdout, stderr)
	root.SetArgs(args)
	called, err := root.ExecuteC()
	if err == nil {
		return exitDone
	}
	var usage *usageError
	var refused *refusal
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "migxml: %s\nRun '%s --help' for usage.\n", plain(err.Error()), called.CommandPath())
		return exitUsage
	case errors.As(err, &refused):
		if !refused.shown {
			printProblems(stderr, refused.err)
		}
		return exitRefused
	}
	fmt.Fprintf(stderr, "migxml: %s\n", plain(err.Error()))
	return exitFailed
}

// printProblems writes one line for each of several joined errors, and nothing of
// a document that could write to the terminal.
func printProblems(w io.Writer, err error) {
	for _, e := range flatten(err) {
		fmt.Fprintf(w, "migxml: %s\n", plain(e.Error()))
	}
}

func newRootCommand(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "migxml",
		Short: "The domain XML of a virtual machine that moves",
		Long: `migxml turns a KubeVirt VirtualMachineInstance into the libvirt domain XML that
boots it, and a running guest's XML into the XML that its target pod can start,
and says of every value why it is what it is.

Data goes to standard output, remarks to standard error. Exit status: 0 done,
1 failed, 2 wrong usage, 3 refused (a fact is missing, verification failed, an
input is not convertible).`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddCommand(
		newConvertCommand(),
		newExplainCommand(),
		newProbeCommand(),
		newPreviewCommand(),
		newRewriteCommand(),
		newVerifyCommand(),
		newRulesCommand(),
	)
	return root
}

// version is that of the module, as go install or a build in a clone knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// noArgs refuses arguments; cobra's own check would not say that the usage is wrong.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && cmd.HasSubCommands() {
		return &usageError{fmt.Errorf("unknown command %q", args[0])}
	}
	return wantArgs()(cmd, args)
}

// wantArgs insists on the named arguments.
func wantArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return &usageError{fmt.Errorf("%s wants %s, found %d arguments", cmd.CommandPath(), wanted(names), len(args))}
		}
		return nil
	}
}

func wanted(names []string) string {
	if len(names) == 0 {
		return "no arguments"
	}
	return strings.Join(names, " ")
}
