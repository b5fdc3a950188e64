package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"
)

// outputFlag adds -o with the formats that a command offers, the first being
// the default.
func outputFlag(cmd *cobra.Command, formats ...string) *string {
	format := cmd.Flags().StringP("output", "o", formats[0], "output format: "+strings.Join(formats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	check := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains(formats, *format) {
			return &usageError{fmt.Errorf("output format %q, want %s", *format, strings.Join(formats, ", "))}
		}
		if check != nil {
			return check(cmd, args)
		}
		return nil
	}
	return format
}

// writeData writes a value as JSON or YAML.
func writeData(w io.Writer, format string, value any) error {
	if format == "yaml" {
		data, err := yaml.Marshal(value)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // XML in JSON stays readable
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}
