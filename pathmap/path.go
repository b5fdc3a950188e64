package pathmap

import "strings"

const (
	reasonEmpty    = "empty; want an absolute path"
	reasonRelative = "relative; want an absolute path"
	reasonNUL      = "contains a NUL byte; want a path that a file can have"
	reasonDotDot   = `contains ".."; want a path that means the same without following links`
	reasonRoot     = "is the root directory; want a path below it, where a pod can keep something"
)

// checkPath returns nil for an absolute path without NUL and "..".
func checkPath(path string) *PathError {
	switch {
	case path == "":
		return &PathError{Path: path, Reason: reasonEmpty}
	case path[0] != '/':
		return &PathError{Path: path, Reason: reasonRelative}
	case strings.IndexByte(path, 0) >= 0:
		return &PathError{Path: path, Reason: reasonNUL}
	case hasDotDot(path):
		return &PathError{Path: path, Reason: reasonDotDot}
	}
	return nil
}

// hasDotDot reports whether a component of path is "..".
func hasDotDot(path string) bool {
	for {
		i := strings.Index(path, "..")
		if i < 0 {
			return false
		}
		if (i == 0 || path[i-1] == '/') && (i+2 == len(path) || path[i+2] == '/') {
			return true
		}
		// One byte on, not two: "..." holds ".." twice.
		path = path[i+1:]
		if j := strings.IndexByte(path, '/'); j >= 0 {
			path = path[j:]
		} else {
			return false
		}
	}
}

// cleanPath returns path without doubled and trailing slashes and without "."
// components, or why it cannot be one side of an entry. The root directory comes
// out empty: what follows a clean path in a longer one then always begins with
// its slash. See rooted.
func cleanPath(path string) (string, *PathError) {
	if err := checkPath(path); err != nil {
		return "", err
	}
	if isClean(path) {
		return path, nil
	}
	var b strings.Builder
	b.Grow(len(path))
	for component := range strings.SplitSeq(path, "/") {
		if component != "" && component != "." {
			b.WriteByte('/')
			b.WriteString(component)
		}
	}
	return b.String(), nil
}

// isClean reports whether an absolute path below the root has nothing to drop.
func isClean(path string) bool {
	return !strings.Contains(path, "//") && !strings.Contains(path, "/./") &&
		!strings.HasSuffix(path, "/") && !strings.HasSuffix(path, "/.")
}

// rooted writes a clean path as users know it.
func rooted(clean string) string {
	if clean == "" {
		return "/"
	}
	return clean
}

// nextComponent returns where the component behind the slash at pos begins,
// past doubled slashes and "." components; len(text) if there is none.
func nextComponent(text string, pos int) int {
	for pos < len(text) {
		switch {
		case text[pos] == '/':
			pos++
		case text[pos] == '.' && (pos+1 == len(text) || text[pos+1] == '/'):
			pos++
		default:
			return pos
		}
	}
	return pos
}

// endsComponent reports whether a path component of text may end at pos.
func endsComponent(text string, pos int) bool { return pos == len(text) || text[pos] == '/' }
