package convert

import "testing"

func TestIsUUID(t *testing.T) {
	for _, tt := range []struct {
		text   string
		want   bool
		reason string
	}{
		{"5d307ca9-b3ef-428c-8861-06e72d69f223", true, "the usual form"},
		{"5D307CA9-B3EF-428C-8861-06E72D69F223", true, "capitals"},
		{"5d307ca9b3ef428c886106e72d69f223", true, "without dashes"},
		{"5d307ca9-b3ef-428c-886106e72d69f2231", false, "a dash short"},
		{"5d307ca9b3ef-428c-8861-06e72d69f-223", false, "dashes elsewhere"},
		{"5d307ca9-b3ef-428c-8861-06e72d69f22g", false, "a digit that is none"},
		{"", false, "nothing"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			if got := isUUID(tt.text); got != tt.want {
				t.Errorf("isUUID(%q) = %v, want %v", tt.text, got, tt.want)
			}
		})
	}
}

func TestIsName(t *testing.T) {
	for _, tt := range []struct {
		text, marks string
		want        bool
		reason      string
	}{
		{"Europe/Berlin", "_.+-/", true, "marks that are allowed"},
		{"Europe/Berlin", "_.", false, "and the same where they are not"},
		{"", "_", false, "no name at all"},
		{"z\xc3\xbcrich", "_", false, "a letter beyond ASCII"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			if got := isName(tt.text, tt.marks); got != tt.want {
				t.Errorf("isName(%q, %q) = %v, want %v", tt.text, tt.marks, got, tt.want)
			}
		})
	}
}
