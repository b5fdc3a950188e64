package main

import (
	"errors"
	"fmt"

	"github.com/migxml/migxml/migrate"
	"github.com/migxml/migxml/pathmap"
	"github.com/spf13/cobra"
)

func newPreviewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "preview --target FILE SOURCE.xml",
		Short: "Show what would change for a target, and why",
		Long: `preview plans the move of a guest and shows each change as old and new value, with
the rule that wants it, the place in the source XML and the reason; then the
host-bound values that stay, and then what is missing. Nothing is written.

Exit status 3 means that the move would be refused; the report says why.`,
		Example: `  virsh dumpxml --migratable shop_vm-a > source.xml
  migxml preview --target target.yaml source.xml
  virsh dumpxml --migratable shop_vm-a | migxml preview --target target.yaml -o json -`,
		Args: wantArgs("SOURCE.xml"),
	}
	flags := moveFlags(cmd)
	format := outputFlag(cmd, "text", "json", "yaml")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in, err := flags.read(cmd, args[0])
		if err != nil {
			return err
		}
		plan, err := migrate.NewPlan(in.source, in.facts, in.options)
		var fact *migrate.FactError
		if plan == nil && !errors.As(err, &fact) {
			return &refusal{err: fmt.Errorf("%s: %w", label(in.name), err)}
		}
		if err == nil {
			_, err = plan.Apply()
		}
		// Without a plan the facts contradict themselves; the report says how.
		report := newReport(label(in.name), plan, err)
		if *format == "text" {
			err = report.writeText(cmd.OutOrStdout())
		} else {
			err = writeData(cmd.OutOrStdout(), *format, report)
		}
		if err == nil && len(report.Missing) > 0 {
			err = &refusal{err: errors.New("the move would be refused"), shown: true}
		}
		return err
	}
	return cmd
}

// report is what preview shows; its JSON form is for programs.
type report struct {
	File     string          `json:"file"`
	Source   string          `json:"source"`
	DestName string          `json:"destName,omitempty"`
	Edits    []migrate.Edit  `json:"edits"`
	Kept     []migrate.Kept  `json:"kept"`
	Unused   []pathmap.Entry `json:"unused"`
	Missing  []problem       `json:"missing"`
	Verified bool            `json:"verified"`
}

// newReport makes the report; the plan is nil when nothing could be planned.
func newReport(file string, plan *migrate.Plan, err error) *report {
	r := &report{File: file, Missing: problems(err), Verified: err == nil}
	if plan != nil {
		r.Source, r.DestName = plan.Source(), plan.DestName
		r.Edits, r.Kept, r.Unused = plan.Edits, plan.Kept, plan.Unused
	}
	r.Edits, r.Kept, r.Unused = orEmpty(r.Edits), orEmpty(r.Kept), orEmpty(r.Unused)
	return r
}

// orEmpty keeps null out of the JSON.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
