package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/migxml/migxml/migrate"
	"github.com/spf13/cobra"
)

func newRulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "rules",
		Short:   "List the rewrite rules",
		Long:    "rules lists every rewrite rule in the order in which they run: its name, the side it can run on,\nthe facts that switch it on (- for always) and what it does.",
		Example: "  migxml rules\n  migxml rules -o json",
		Args:    wantArgs(),
	}
	format := outputFlag(cmd, "text", "json", "yaml")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		type row struct {
			Name  string `json:"name"`
			Side  string `json:"side"`
			Needs string `json:"needs"`
			Doc   string `json:"doc"`
		}
		var rows []row
		for _, r := range migrate.Rules() {
			rows = append(rows, row{r.Name, r.Side.String(), r.Needs, r.Doc})
		}
		if *format != "text" {
			return writeData(cmd.OutOrStdout(), *format, rows)
		}
		w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "RULE\tSIDE\tNEEDS\tDOES")
		for _, r := range rows {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.Name, r.Side, orDash(r.Needs), r.Doc)
		}
		return w.Flush()
	}
	return cmd
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
