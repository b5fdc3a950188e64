package pathmap

// A Match is a known source path in a text. What Target holds belongs in the
// place of text[Start:End]:
//
//	text[:m.Start] + m.Target + text[m.End:]
type Match struct {
	Start, End int    // offsets in bytes; End is behind the last one
	Path       string // the text there, as it was written: text[Start:End]
	Target     string // what it is called in the target pod; equal to Path unless Moved
	Entry      Entry  // the entry that says so
	Moved      bool   // Entry.Source and Entry.Target differ

	// Err is a *PathError if the text goes on from a known path with a ".."
	// component, so that nobody can say what it means. Path then takes in all
	// of it, and nothing is moved. Only Find sets Err; Rewrite returns it.
	Err error
}

// Rewrite answers for a value that is one path. The entry with the longest
// source that is the path or a directory above it decides:
//
//   - moved: Moved is true and Target is the entry's target, followed byte for
//     byte by what follows the source in path;
//   - same in both pods: Moved is false and Target is path, byte for byte;
//   - no such entry: the error is an *UnknownPathError.
//
// The match covers all of path. Components are compared whole. To find the
// entry, doubled slashes and "." components of path are passed over. A path
// that is empty, relative, or has a NUL byte or a ".." component gives a
// *PathError, whatever it may lie below.
//
// The time grows with the length of path and hardly with the number of entries.
func (m *Map) Rewrite(path string) (Match, error) {
	if err := checkPath(path); err != nil {
		return Match{}, err
	}
	index, end := m.longest(path, 0, endsComponent)
	if index < 0 {
		return Match{}, &UnknownPathError{Path: path}
	}
	entry := m.entries[index]
	match := Match{End: len(path), Path: path, Target: path, Entry: entry.rooted()}
	if entry.Source != entry.Target {
		match.Target, match.Moved = entry.target(path[end:]), true
	}
	return match, nil
}

// target returns the entry's target followed by what follows its source in a path.
func (e Entry) target(rest string) string {
	if e.Source == "" && nextComponent(rest, 0) == len(rest) {
		rest = "" // the root directory itself, however it is written
	}
	return rooted(e.Target + rest)
}
