package convert

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is open and what is absent is named as values are: with an index only beside
// others of the name.
func TestOpenPlacesAreSpelledLikeValues(t *testing.T) {
	root, err := parseXML("<domain><devices><disk><target/></disk><nic/><nic/></devices></domain>")
	require.NoError(t, err)
	for path, want := range map[string]string{
		"/domain/devices/disk[1]/driver/@cache": "/domain/devices/disk/driver/@cache",
		"/domain/devices/disk[1]/target[1]/@x":  "/domain/devices/disk/target/@x",
		"/domain/devices/nic[1]/@x":             "/domain/devices/nic[1]/@x",
		"/domain/devices/nic[2]/@x":             "/domain/devices/nic[2]/@x",
		"/domain/devices/floppy[1]/@x":          "/domain/devices/floppy[1]/@x",
		"/domain/os/loader":                     "/domain/os/loader",
	} {
		assert.Equal(t, want, root.spelled(path))
	}
}
