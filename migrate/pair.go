package migrate

import (
	"errors"
	"strings"

	"github.com/migxml/migxml/migrate/internal/xmledit"
)

// SameGuest tells whether the running and the stored definition are of one
// guest: libvirt compares a stored definition with nothing, so a mistaken file
// would become the guest's next boot. Errors are *DocumentError and *ABIError.
func SameGuest(running, stored []byte) error {
	a, errA := parseDomain(new(xmledit.Reader), running, "source")
	b, errB := parseDomain(new(xmledit.Reader), stored, "source")
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	var errs []error
	for _, name := range []string{"name", "uuid"} {
		x, y := a.Root().Child(name).Text().Trimmed(), b.Root().Child(name).Text().Trimmed()
		if x != y && !(name == "uuid" && strings.EqualFold(x, y)) {
			errs = append(errs, &ABIError{Difference{Device: name, Path: "/domain/" + name, Source: x, Dest: y,
				Reason: "the running and the stored definition are of two guests"}})
		}
	}
	return errors.Join(errs...)
}
