package main

import (
	"errors"
	"fmt"

	"github.com/migxml/migxml/migrate"
	"github.com/spf13/cobra"
)

func newRewriteCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rewrite --target FILE [--persistent STORED.xml] SOURCE.xml",
		Short: "Write the destination XML",
		Long: `rewrite writes the XML with which the target starts the guest to standard output,
after verifying that the guest sees no difference. It writes nothing otherwise.

With --persistent the stored definition, which may differ from the running one, is
rewritten with the same facts and written instead; the running one is planned and
verified all the same, so that neither goes out without the other being good, and
both must bear one name and UUID.

The name in the XML stays, since libvirt refuses any other; the target's goes into
virsh's --dname, and preview shows it.`,
		Example: `  virsh dumpxml --migratable shop_vm-a > source.xml
  virsh dumpxml --migratable --inactive shop_vm-a > stored.xml
  migxml rewrite --target target.yaml source.xml > dest.xml
  migxml rewrite --target target.yaml --persistent stored.xml source.xml > persist.xml
  virsh migrate --live --p2p --persistent --xml dest.xml --persistent-xml persist.xml \
    --dname shop-dr_vm-b shop_vm-a qemu+unix:///system?socket=/target/libvirt-sock`,
		Args: wantArgs("SOURCE.xml"),
	}
	flags := moveFlags(cmd)
	stored := cmd.Flags().String("persistent", "", "file with the stored definition; it is rewritten and written instead of the running one")
	_ = cmd.MarkFlagFilename("persistent", "xml")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := onlyOneStdin(append([]string{args[0], *stored}, *flags.target...)...); err != nil {
			return err
		}
		in, err := flags.read(cmd, args[0])
		if err != nil {
			return err
		}
		dest, err := rewriteOne(in.name, in.source, in)
		if cmd.Flags().Changed("persistent") {
			data, readErr := readInput(cmd, *stored)
			if readErr != nil {
				return readErr
			}
			var storedErr error
			dest, storedErr = rewriteOne(*stored, data, in)
			err = errors.Join(err, storedErr)
			if err == nil {
				err = migrate.SameGuest(in.source, data)
			}
		}
		if err != nil {
			return &refusal{err: err}
		}
		_, err = cmd.OutOrStdout().Write(dest)
		return err
	}
	return cmd
}

// rewriteOne plans, splices and verifies one document.
func rewriteOne(name string, source []byte, in moveInput) ([]byte, error) {
	plan, err := migrate.NewPlan(source, in.facts, in.options)
	var dest []byte
	if err == nil {
		dest, err = plan.Apply()
	}
	var all []error
	for _, e := range flatten(err) {
		all = append(all, fmt.Errorf("%s: %w", label(name), e))
	}
	return dest, errors.Join(all...)
}
