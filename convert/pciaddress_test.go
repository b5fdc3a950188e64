package convert

import (
	"fmt"
	"testing"
)

func TestParsePCIAddress(t *testing.T) {
	for _, tc := range []struct{ reason, text, want string }{
		{"the usual", "0000:81:11.1", "0000:81:11.1"},
		{"either case", "00Ab:fF:1F.7", "00ab:ff:1f.7"},
		{"empty", "", ""},
		{"short domain", "00:81:11.1", ""},
		{"long domain", "00000:81:11.1", ""},
		{"function 8", "0000:81:11.8", ""},
		{"no slot 20", "0000:81:20.0", ""},
		{"anchored in front", "x0000:81:11.1", ""},
		{"anchored behind", "0000:81:11.1\n", ""},
		{"not hexadecimal", "000g:81:11.1", ""},
		{"a sign is no digit", "+000:81:11.1", ""},
		{"an underscore is no digit", "0_00:81:11.1", ""},
		{"separators in place", "0000.81:11:1", ""},
		{"many bytes, few characters", "000é:81:11.1", ""},
	} {
		got := ""
		if a, err := parsePCIAddress(tc.text); err == nil {
			got = fmt.Sprintf("%04x:%02x:%02x.%x", *a.Domain, *a.Bus, *a.Slot, *a.Function)
		}
		if got != tc.want {
			t.Errorf("%s: %q gives %q, want %q", tc.reason, tc.text, got, tc.want)
		}
	}
}
