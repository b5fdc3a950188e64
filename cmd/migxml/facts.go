package main

import (
	"errors"

	"github.com/migxml/migxml/migrate"
	"github.com/spf13/cobra"
)

// targetFlag adds --target, which may be given more than once.
func targetFlag(cmd *cobra.Command) *[]string {
	files := cmd.Flags().StringArray("target", nil, "file with the facts of the move; may be given more than once, and the files merge")
	_ = cmd.MarkFlagFilename("target", "yaml", "yml", "json")
	return files
}

// readFacts reads and merges the files given with --target.
func readFacts(cmd *cobra.Command, names []string) (migrate.Facts, error) {
	files := make([]migrate.FactsFile, 0, len(names))
	for _, name := range names {
		data, err := readInput(cmd, name)
		if err != nil {
			return migrate.Facts{}, err
		}
		files = append(files, migrate.FactsFile{Name: label(name), Data: data})
	}
	facts, err := migrate.ParseFactsFiles(files...)
	if err != nil {
		return migrate.Facts{}, &refusal{err: err}
	}
	return facts, nil
}

// moveInput is what preview and rewrite read.
type moveInput struct {
	name    string
	source  []byte
	facts   migrate.Facts
	options migrate.Options
}

// move holds the flags that say which plan to make.
type move struct {
	target *[]string
	side   *string
	strict *bool
}

func moveFlags(cmd *cobra.Command) move {
	return move{
		target: targetFlag(cmd),
		side:   sideFlag(cmd),
		strict: cmd.Flags().Bool("strict", false, "refuse a host-bound value that no fact covers, instead of keeping it"),
	}
}

// sideFlag adds --side.
func sideFlag(cmd *cobra.Command) *string {
	side := cmd.Flags().String("side", "both", "whose rules run, as policy.side of the facts gives them out: source, target, both")
	_ = cmd.RegisterFlagCompletionFunc("side", cobra.FixedCompletions([]string{"source", "target", "both"}, cobra.ShellCompDirectiveNoFileComp))
	return side
}

// optionsOf reads --side.
func optionsOf(side string) (migrate.Options, error) {
	switch side {
	case "both":
		return migrate.Options{}, nil
	case "source":
		return migrate.Options{Side: migrate.SideSource}, nil
	case "target":
		return migrate.Options{Side: migrate.SideTarget}, nil
	}
	return migrate.Options{}, &usageError{errors.New("--side " + side + ", want source, target or both")}
}

// read reads the source XML and the facts.
func (m move) read(cmd *cobra.Command, source string) (moveInput, error) {
	in := moveInput{name: source}
	var err error
	if in.options, err = optionsOf(*m.side); err != nil {
		return in, err
	}
	in.options.Strict = *m.strict
	if len(*m.target) == 0 {
		return in, &usageError{errors.New("--target is missing: the file with the facts of the move")}
	}
	if err := onlyOneStdin(append([]string{source}, *m.target...)...); err != nil {
		return in, err
	}
	if in.source, err = readInput(cmd, source); err != nil {
		return in, err
	}
	in.facts, err = readFacts(cmd, *m.target)
	return in, err
}
