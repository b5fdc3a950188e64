package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/migxml/migxml/convert"
	"github.com/spf13/cobra"
	v1 "kubevirt.io/api/core/v1"
)

func newConvertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert [--context FILE] VMI",
		Short: "Turn a VMI into the domain XML that boots it",
		Long: `convert reads a VirtualMachineInstance or a VirtualMachine, as YAML or JSON, applies
the defaults of KubeVirt's admission, and writes the domain XML that KubeVirt
boots for it on the node that the context file describes. Without a context it is
a KVM node of amd64 about which nothing else is known.

Nothing is opened, created or asked: the same input gives the same bytes. What
KubeVirt's admission would refuse although it can be converted is converted, with
a warning; --strict refuses it.

` + contextHelp,
		Example: `  migxml convert vmi.yaml
  kubectl get vmi vm-a -n shop -o yaml | migxml convert --context node.yaml -
  migxml convert --hook board=/usr/local/bin/onDefineDomain vmi.yaml`,
		Args: wantArgs("VMI"),
	}
	in := conversionFlags(cmd, true)
	strict := cmd.Flags().Bool("strict", false, "refuse what KubeVirt's admission would refuse")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		vmi, facts, err := in.read(cmd, args[0])
		if err != nil {
			return err
		}
		r, err := convert.VMI(vmi, facts)
		warnings := convert.Admission(vmi, facts)
		if err != nil || *strict && len(warnings) > 0 {
			problems := refusals(err)
			if *strict {
				problems = append(problems, warnings...)
			}
			return &refusal{err: in.from.told(problems)}
		}
		in.warn(cmd.ErrOrStderr(), vmi, append(warnings, convert.Doubts(vmi, facts)...))
		text, err := r.XML()
		if err != nil {
			return err
		}
		if len(*in.hooks) > 0 {
			if text, err = in.runHooks(cmd, r, vmi, facts, func(name, text string) error {
				_, err := convert.CheckHook(name, text)
				return err
			}); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	}
	return cmd
}

// contextHelp shows the keys of a context file; the type Context of package convert says
// what each means.
const contextHelp = `All keys of the context file are optional:

  node: {architecture: amd64, kvm: true, cpuSet: 2-3, numa: [], siblings: [], pciNUMA: {}, machines: {}}
  cluster: {}                # spec.configuration of the KubeVirt resource
  hypervisor: ""             # or hyperv-direct
  volumes: {root: {mode: Block, format: qcow2, directIO: true}}   # by name; migxml probe collects them
  firmware: {code: FILE, vars: FILE, secureLoader: false}         # or {autoSelect: true}
  smbios: {manufacturer: "", product: "", version: "", sku: "", family: ""}
  hostDevices: {example.com/card: {pci: [], mdev: [], usb: []}}   # by resource name
  resourceClaims: {}         # by claim and request
  sriov: {back: "0000:81:11.1"}                                   # by interface name
  network: {attachments: {default: tap}, links: {}}
  memBalloonStatsPeriod: 10  # seconds
  logVerbosity: 2
  iommufd: false
  pciNUMAAwareTopology: false
  bochsForEFIGuests: false`

// conversion is what convert and explain read.
type conversion struct {
	context *string
	hooks   *[]string
	limit   *hookLimit
	from    *inputs // filled by read
}

func conversionFlags(cmd *cobra.Command, hooks bool) conversion {
	c := conversion{from: &inputs{}, context: cmd.Flags().String("context", "", "facts about node, cluster and pod, as YAML")}
	_ = cmd.MarkFlagFilename("context", "yaml", "yml", "json")
	if hooks {
		c.hooks = cmd.Flags().StringArray("hook", nil, "domain hook, [NAME=]PROGRAM; run in the order given")
		c.limit = hookLimitFlag(cmd)
		_ = cmd.MarkFlagFilename("hook")
	}
	return c
}

func (c conversion) read(cmd *cobra.Command, name string) (*v1.VirtualMachineInstance, convert.Context, error) {
	var facts convert.Context
	if err := errors.Join(c.checkHooks(), onlyOneStdin(name, *c.context)); err != nil {
		return nil, facts, err
	}
	data, err := readInput(cmd, name)
	if err != nil {
		return nil, facts, err
	}
	c.from.vmi = newFile(name, data, convert.LocateVMI)
	vmi, err := convert.ParseVMI(label(name), data)
	if err != nil {
		err = &refusal{err: err}
	}
	if *c.context != "" {
		text, readErr := readInput(cmd, *c.context)
		if readErr != nil {
			return nil, facts, readErr
		}
		c.from.context = newFile(*c.context, text, convert.LocateContext)
		var contextErr error
		if facts, contextErr = convert.ParseContext(label(*c.context), text); contextErr != nil {
			err = &refusal{err: errors.Join(err, contextErr)}
		}
	}
	return vmi, facts, err
}

const sidecarAnnotation = "hooks.kubevirt.io/hookSidecars"

// warn tells what speaks against a domain that is written all the same.
func (c conversion) warn(w io.Writer, vmi *v1.VirtualMachineInstance, warnings []*convert.FieldError) {
	for _, f := range c.from.places(warnings) {
		fmt.Fprintf(w, "warning: %s\n", plain(f.Error()))
	}
	if vmi.Annotations[sidecarAnnotation] != "" && len(*c.hooks) == 0 {
		fmt.Fprintf(w, "warning: metadata.annotations[%q]: the VMI asks for hook sidecars, and what they change is not in the domain; name them with --hook\n", sidecarAnnotation)
	}
}
