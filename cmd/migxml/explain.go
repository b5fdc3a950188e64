package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/migxml/migxml/convert"
	"github.com/spf13/cobra"
)

func newExplainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain [--context FILE] [--path XPATH] VMI",
		Short: "Tell of every value of the domain why it is what it is",
		Long: `explain converts as convert does and lists each value of the domain with who
decided it: a field of the VMI, an admission default, a fact of the context, a
policy built in here, or a hook. Below stand values that one might look for and
that are not there, and values that are left open because the context does not
say what they depend on, with the name of the fact that would settle each, and
what would keep the guest from being migrated while it runs.

--path shows one place: an attribute, or everything at and below an element. An
index may be left out and then means all.

Of a VMI that cannot be converted it tells every reason, and exits with 3.

` + contextHelp,
		Example: `  migxml explain vmi.yaml
  migxml explain --path '/domain/devices/disk[2]/target/@dev' vmi.yaml
  migxml explain --context node.yaml -o json vmi.yaml`,
		Args: wantArgs("VMI"),
	}
	in := conversionFlags(cmd, true)
	path := cmd.Flags().String("path", "", "only this place of the domain: an XPath of names and indexes")
	format := outputFlag(cmd, "text", "json", "yaml")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !placeForm.MatchString(*path) || strings.HasPrefix(*path, "spec.") {
			return &usageError{fmt.Errorf("--path %q: want a place of the domain by names and indexes from 1, such as /domain/devices/disk[2]/target/@dev", *path)}
		}
		vmi, facts, err := in.read(cmd, args[0])
		if err != nil {
			return err
		}
		e, refused := convert.Explain(vmi, facts)
		report := explanation{Warnings: in.from.places(append(convert.Admission(vmi, facts), convert.Doubts(vmi, facts)...))}
		if *path == "" && refused == nil {
			if report.Obstacles, err = convert.Obstacles(vmi, facts); err != nil {
				return err
			}
		}
		if refused == nil && len(*in.hooks) > 0 {
			_, refused = in.runHooks(cmd, &e.Result, vmi, facts, e.Hook)
			var told *refusal
			if refused != nil && !errors.As(refused, &told) {
				return refused
			}
		}
		if refused == nil {
			in.warn(cmd.ErrOrStderr(), vmi, nil)
			if err := report.fill(e, *path); err != nil {
				return err
			}
		} else {
			report.Refused = in.from.places(refusals(refused))
		}
		if *format == "text" {
			err = report.writeText(cmd.OutOrStdout())
		} else {
			err = writeData(cmd.OutOrStdout(), *format, report)
		}
		if err == nil && refused != nil {
			err = &refusal{err: errors.New("the VMI cannot be converted"), shown: true}
		}
		return err
	}
	return cmd
}

// placeForm is the form of the paths that --path takes.
var placeForm = regexp.MustCompile(`^/?([\w:.*-]+(\[[1-9]\d*\])?/)*(@?[\w:.*-]+(\[[1-9]\d*\])?|text\(\))?$`)

// explanation is the JSON form of what explain found.
type explanation struct {
	Refused  []*located        `json:"refused,omitempty"`
	Warnings []*located        `json:"warnings,omitempty"`
	Domain   string            `json:"domain,omitempty"`
	Causes   []convert.Cause   `json:"causes,omitempty"`
	Absent   []convert.Absent  `json:"absent,omitempty"`
	Unknown  []convert.Unknown `json:"unknown,omitempty"`
	// Obstacles keep the guest from being migrated, not from being started.
	Obstacles []convert.Obstacle `json:"obstacles,omitempty"`
}

// refusals takes joined errors apart; what is not about a field has only a reason.
func refusals(err error) []*convert.FieldError {
	var list []*convert.FieldError
	for _, e := range flatten(err) {
		f, ok := e.(*convert.FieldError)
		if !ok {
			f = &convert.FieldError{Reason: e.Error()}
		}
		list = append(list, f)
	}
	return list
}

func (x *explanation) fill(e *convert.Explanation, path string) error {
	if path == "" {
		text, err := e.XML()
		if err != nil {
			return err
		}
		x.Domain, x.Causes, x.Absent, x.Unknown = text, e.Causes, e.Absent, e.Unknown
		return nil
	}
	x.Causes = e.Why(path)
	for _, a := range e.Absent {
		if convert.At(path, a.Path) {
			x.Absent = append(x.Absent, a)
		}
	}
	for _, u := range e.Unknown {
		if convert.At(path, u.Path) {
			x.Unknown = append(x.Unknown, u)
		}
	}
	if len(x.Causes)+len(x.Absent)+len(x.Unknown) == 0 {
		return &refusal{err: fmt.Errorf("%s: the domain has nothing there, and nothing is known about why", path)}
	}
	return nil
}

func (x *explanation) writeText(w io.Writer) error {
	var b strings.Builder
	for _, r := range x.Refused {
		fmt.Fprintf(&b, "refused: %s\n", plain(r.Error()))
	}
	for _, f := range x.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", plain(f.Error()))
	}
	for _, c := range x.Causes {
		writeCause(&b, c)
	}
	for _, a := range x.Absent {
		fmt.Fprintf(&b, "%s is not there\n    %s%s\n", plain(a.Path), plain(a.Reason), by(a.Fields))
	}
	for _, u := range x.Unknown {
		fmt.Fprintf(&b, "%s is left open\n    unknown %s: %s\n", plain(u.Path), plain(u.Fact), plain(u.Reason))
	}
	for _, o := range x.Obstacles {
		writeObstacle(&b, o)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeObstacle(b *strings.Builder, o convert.Obstacle) {
	fmt.Fprintf(b, "%s keeps the guest from being migrated", plain(o.Field))
	if o.Value != "" {
		fmt.Fprintf(b, " (%q)", o.Value)
	}
	fmt.Fprintf(b, "\n    %s; cleared by %s", plain(o.Reason), plain(o.Clears))
	if o.CopyStorage {
		b.WriteString(" (a migration that copies storage clears it)")
	}
	b.WriteString("\n")
}

func writeCause(b *strings.Builder, c convert.Cause) {
	if c.Value == "" && !strings.Contains(c.Path, "@") {
		fmt.Fprintf(b, "%s\n", plain(c.Path))
	} else {
		fmt.Fprintf(b, "%s = %q\n", plain(c.Path), c.Value)
	}
	origin := string(c.Origin)
	for i, f := range c.Fields {
		if i > 0 {
			origin += ","
		}
		origin += " " + f
		if convert.IsFact(f) {
			origin += map[bool]string{true: " (assumed)", false: " (supplied)"}[slices.Contains(c.Assumed, f)]
		}
	}
	if len(c.Via) > 0 {
		origin += " (from " + strings.Join(c.Via, ", ") + ")"
	}
	fmt.Fprintf(b, "    %s: %s\n", plain(origin), plain(c.Reason))
}

func by(fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	return " (" + strings.Join(fields, ", ") + ")"
}
