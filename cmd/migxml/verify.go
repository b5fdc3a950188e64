package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/migxml/migxml/migrate"
	"github.com/spf13/cobra"
)

func newVerifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify --source A.xml [--target FILE] [--side source|target|both] B.xml",
		Short: "Tell whether B is a legal destination for A",
		Long: `verify compares two documents as libvirt writes them and lists every difference: those that only the host sees and the facts ask for, and those that
make B no legal destination for A. Attribute order, quotes and white space are no
differences, and where nothing differs it says so. Without --target no path may
be expected to move, so every changed path is listed as the host's business. With
--side it expects what that side's rules do, as policy.side of the facts gives them out.

Exit status 0: B is a legal destination. 3: it is not.`,
		Example: `  migxml verify --source source.xml --target target.yaml dest.xml
  migxml verify --source source.xml -o json dest.xml`,
		Args: wantArgs("B.xml"),
	}
	source := cmd.Flags().String("source", "", "the migratable XML of the running guest")
	_ = cmd.MarkFlagFilename("source", "xml")
	target := targetFlag(cmd)
	side := sideFlag(cmd)
	format := outputFlag(cmd, "text", "json", "yaml")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *source == "" {
			return &usageError{errors.New("--source is missing: the migratable XML of the running guest")}
		}
		if err := onlyOneStdin(append([]string{*source, args[0]}, *target...)...); err != nil {
			return err
		}
		a, err := readInput(cmd, *source)
		if err != nil {
			return err
		}
		b, err := readInput(cmd, args[0])
		if err != nil {
			return err
		}
		options, err := optionsOf(*side)
		if err != nil {
			return err
		}
		facts, err := readFacts(cmd, *target)
		if err != nil {
			return err
		}
		differences, verdict := migrate.Compare(a, b, facts, options)
		if verdict != nil && differences == nil && !isVerdict(verdict) {
			return &refusal{err: named(verdict, label(*source), label(args[0]))}
		}
		if err := writeComparison(cmd.OutOrStdout(), *format, differences, verdict); err != nil || verdict == nil {
			return err
		}
		return &refusal{err: verdict, shown: true}
	}
	return cmd
}

// named puts the file before what is wrong with a document.
func named(err error, source, dest string) error {
	var all []error
	for _, e := range flatten(err) {
		var bad *migrate.DocumentError
		if errors.As(e, &bad) {
			file := map[string]string{"source": source, "destination": dest}[bad.Which]
			e = fmt.Errorf("%s: %w", file, e)
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}

// isVerdict tells a finding about two readable documents from one that could
// not be read.
func isVerdict(err error) bool {
	var left *migrate.LeftoverError
	var abi *migrate.ABIError
	return errors.As(err, &left) || errors.As(err, &abi)
}

// comparison is the JSON form of what verify found.
type comparison struct {
	Legal       bool                 `json:"legal"`
	Differences []migrate.Difference `json:"differences"`
	Problems    []problem            `json:"problems"`
}

func writeComparison(w io.Writer, format string, differences []migrate.Difference, verdict error) error {
	c := comparison{Legal: verdict == nil, Differences: orEmpty(differences), Problems: problems(verdict)}
	if format != "text" {
		return writeData(w, format, c)
	}
	var b strings.Builder
	for _, d := range c.Differences {
		if d.Legal {
			fmt.Fprintf(&b, "%s  %s\n  - %s\n  + %s\n  %s\n", plain(d.Device), plain(d.Path), plain(d.Source), plain(d.Dest), plain(d.Reason))
		}
	}
	for _, p := range c.Problems {
		fmt.Fprintf(&b, "refused: %s\n", plain(p.Message))
	}
	switch {
	case !c.Legal:
		fmt.Fprintf(&b, "not a legal destination: %s\n", count(len(c.Problems), "problem"))
	case len(c.Differences) == 0:
		b.WriteString("nothing differs\n")
	default:
		fmt.Fprintf(&b, "a legal destination: %s that only the host sees\n", count(len(c.Differences), "difference"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
