package convert

import "testing"

func TestMAC(t *testing.T) {
	for _, tc := range []struct{ reason, text, spec, normal string }{
		{"lower case stays", "02:00:5e:10:00:07", "02:00:5e:10:00:07", "02:00:5e:10:00:07"},
		{"libvirt reads upper case, so phase A leaves it", "02:00:5E:10:00:07", "02:00:5E:10:00:07", "02:00:5e:10:00:07"},
		{"libvirt does not read dashes", "DE-AD-00-00-BE-AF", "de:ad:00:00:be:af", "de:ad:00:00:be:af"},
		{"nor dots", "dead.0000.beaf", "de:ad:00:00:be:af", "de:ad:00:00:be:af"},
		{"no multicast address", "03:00:5e:10:00:07", "", ""},
		{"no longer address", "02:00:5e:10:00:07:08:09", "", ""},
		{"no text", "none", "", ""},
	} {
		spec, specOK := specMAC(tc.text)
		normal, normalOK := normalMAC(tc.text)
		if spec != tc.spec || normal != tc.normal || specOK != (tc.spec != "") || normalOK != (tc.normal != "") {
			t.Errorf("%s: %q gives %q and %q, want %q and %q", tc.reason, tc.text, spec, normal, tc.spec, tc.normal)
		}
	}
}
