//go:build integration

package integration

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A DomainSchema is libvirt's own RELAX NG schema of domain XML.
type DomainSchema struct {
	file string
}

// DomainSchema is the one of libvirt 11.3: newer than the schema of the host's libvirt, and as strict as
// virDomainDefineXML with DOMAIN_DEFINE_VALIDATE is there.
func (in Installed) DomainSchema() DomainSchema {
	return DomainSchema{file: filepath.Join(in.Trixie, "usr/share/libvirt/schemas/domain.rng")}
}

// Validate checks documents by name, all in one go: to compile the schema takes longer than to check a hundred of them.
// It returns what is wrong with those that the schema does not accept. Files are written below dir.
func (s DomainSchema) Validate(dir string, docs map[string]string) (map[string]string, error) {
	args := []string{"--noout", "--nonet", "--relaxng", s.file}
	names := map[string]string{} // by file
	for name, text := range docs {
		file := filepath.Join(dir, fmt.Sprintf("%d.xml", len(names)))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
		names[file] = name
		args = append(args, file)
	}
	if len(docs) == 0 {
		return nil, nil
	}
	cmd := exec.Command("xmllint", args...)
	var words bytes.Buffer
	cmd.Stderr = &words
	// xmllint's status is about all documents together. What it says of each one decides.
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return nil, fmt.Errorf("integration: xmllint (Debian's libxml2-utils): %w", err)
	}
	bad, err := verdicts(words.String(), names)
	if err != nil {
		return nil, fmt.Errorf("integration: %w\n%s", err, words.String())
	}
	return bad, nil
}

// verdicts reads what xmllint says: complaints as "FILE:LINE: WORDS", and then about each file that it validates or
// fails to.
func verdicts(words string, names map[string]string) (map[string]string, error) {
	bad := map[string]string{}
	judged := map[string]bool{}
	complaints := map[string][]string{}
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		if file, ok := strings.CutSuffix(line, " validates"); ok && names[file] != "" {
			judged[file] = true
		} else if file, ok := strings.CutSuffix(line, " fails to validate"); ok && names[file] != "" {
			judged[file] = true
			bad[names[file]] = strings.Join(complaints[file], "\n")
		} else if file, rest, ok := strings.Cut(line, ".xml:"); ok {
			file += ".xml"
			complaints[file] = append(complaints[file], "line "+rest)
		}
	}
	for file, name := range names {
		switch {
		case judged[file]:
		case len(complaints[file]) > 0: // it is not even XML
			bad[name] = strings.Join(complaints[file], "\n")
		default:
			return nil, fmt.Errorf("xmllint said nothing of %s (%s)", file, name)
		}
	}
	return bad, nil
}
