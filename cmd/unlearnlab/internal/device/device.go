// Package device lists and installs devices, and checks the machine.
package device

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

func Command() *cobra.Command {
	command := &cobra.Command{
		Use:   "device",
		Short: "List the devices that can compute here, install a plugin for XLA, compile for a GPU",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return cli.VerbOrHelp(c, args)
		},
	}
	command.AddCommand(deviceListCommand(), deviceInstallCommand(), deviceCostCommand())
	return command
}

// listedDevice is one line of the list: a usable device, or a plugin that cannot be used.
type listedDevice struct {
	Name    string  `json:"name"`
	Chosen  bool    `json:"chosen"` // the default device
	Why     string  `json:"why,omitempty"`
	Plugin  string  `json:"plugin,omitempty"`
	Version string  `json:"version,omitempty"` // version of the PJRT interface
	GFLOPS  float64 `json:"gflops,omitempty"`  // speed of a float32 matrix product
	Error   string  `json:"error,omitempty"`   // reason why the device cannot be used
}

func deviceListCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "list",
		Short: "List the devices with plugin, version and measured speed, and say which is used",
		Args:  cli.ExactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			devices, err := listDevices(c.Context())
			if asJSON {
				if err := cli.WriteJSON(c.OutOrStdout(), devices); err != nil {
					return err
				}
			} else {
				writeDevices(c.OutOrStdout(), devices)
			}
			return err
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "an array with one object per device")
	return command
}

// listDevices measures every device that can be opened. The error concerns the device that $UNLEARNLAB_DEVICE names.
func listDevices(ctx context.Context) ([]listedDevice, error) {
	chosen, wrong := device.Open("")
	wishes := []string{"go"}
	if chosen != nil && chosen.Name() != "go" {
		wishes = []string{"", "go"}
	}
	var devices []listedDevice
	for _, wish := range wishes {
		d, err := device.Open(wish)
		devices = append(devices, measured(ctx, d, err))
	}
	for _, plugin := range device.Found() {
		if chosen != nil && chosen.Plugin() == plugin.Path {
			continue
		}
		listed := listedDevice{Error: plugin.Error}
		if plugin.Error == "" {
			d, err := device.Open(plugin.Path)
			listed = measured(ctx, d, err)
		}
		listed.Name, listed.Plugin, listed.Version = "xla:"+plugin.Kind, plugin.Path, plugin.Version
		devices = append(devices, listed)
	}
	if chosen != nil {
		devices[0].Chosen, devices[0].Why = true, chosen.Why()
	}
	return devices, wrong
}

func measured(ctx context.Context, d *device.Device, err error) listedDevice {
	var listed listedDevice
	if err == nil {
		listed = listedDevice{Name: d.Name(), Plugin: d.Plugin(), Version: d.Version()}
		listed.GFLOPS, err = d.Speed(ctx)
	}
	if err != nil {
		listed.Error = err.Error()
	}
	return listed
}

func writeDevices(w io.Writer, devices []listedDevice) {
	for _, d := range devices {
		mark := " "
		if d.Chosen {
			mark = "*"
		}
		var facts []string
		if d.GFLOPS > 0 {
			facts = append(facts, fmt.Sprintf("%.0f GFLOP/s", d.GFLOPS))
		}
		if d.Version != "" {
			facts = append(facts, "PJRT "+d.Version)
		}
		if d.Error != "" {
			facts = append(facts, "refused: "+d.Error)
		} else if d.Plugin != "" {
			facts = append(facts, d.Plugin)
		}
		fmt.Fprintf(w, "%s %-10s %s\n", mark, d.Name, strings.Join(facts, ", "))
	}
	if at := slices.IndexFunc(devices, func(d listedDevice) bool { return d.Chosen }); at >= 0 {
		fmt.Fprintf(w, "* is the default: %s\n", devices[at].Why)
	}
	if !slices.ContainsFunc(devices, func(d listedDevice) bool {
		return strings.HasPrefix(d.Name, "xla:") && d.Error == ""
	}) && runtime.GOOS == "linux" {
		fmt.Fprintln(w, "XLA is faster on most models: unlearnlab device install cpu, or cuda on a machine with an "+
			"NVIDIA GPU")
	}
}

// cudaCompiler is the argument that installs the compiler for GPUs.
const cudaCompiler = "cuda-compiler"

func deviceInstallCommand() *cobra.Command {
	var project string
	var asJSON bool
	command := &cobra.Command{
		Use:   "install cpu|cuda|cuda-compiler",
		Short: "Download a PJRT plugin for XLA from the Python package index, pinned by hash",
		Long: `Download the wheel of a PJRT plugin, compare its SHA-256 with the one pinned in this program, and
unpack the plugin to the folder plugins in $UNLEARNLAB_HOME, or in unlearnlab in the user's cache
folder, where it will be found. Python is not needed, but pip's configuration applies: PIP_INDEX_URL
and its other variables, pip.conf, netrc, proxies and certificates. An installed plugin is kept.

The plugins come from these projects; the first is the default:
  cpu   ` + strings.Join(device.Wheels("cpu"), ", ") + `
  cuda  ` + strings.Join(device.Wheels("cuda"), ", ") + ` (the second for drivers before version 580)

cuda-compiler is the first cuda plugin with NVIDIA's assembler and libdevice (256 MB of downloads).
With it and the cpu plugin, "unlearnlab device cost" compiles for a GPU on any machine.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != cudaCompiler && len(device.Wheels(args[0])) == 0 {
				return cli.Usagef("expected cpu, cuda or cuda-compiler, got %q", strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if project != "" && !slices.Contains(device.Wheels(args[0]), project) {
				return cli.Usagef("project %[2]q has no %[1]s plugin; the projects are %[3]s", args[0], project,
					strings.Join(device.Wheels(args[0]), ", "))
			}
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			install := func() (device.Installed, error) {
				return device.Install(ctx, args[0], project, downloadProgress(c.ErrOrStderr()))
			}
			if args[0] == cudaCompiler {
				install = func() (device.Installed, error) {
					return device.InstallCompiler(ctx, downloadProgress(c.ErrOrStderr()))
				}
			}
			installed, err := install()
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(c.OutOrStdout(), installed)
			}
			return writeInstalled(c.OutOrStdout(), installed)
		},
	}
	command.Flags().StringVar(&project, "wheel", "", "project that provides the plugin")
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return command
}

// downloadProgress returns a callback that redraws one line with the share downloaded. It prints only at each
// twentieth, so that a log stays readable.
func downloadProgress(w io.Writer) func(done, all int64) {
	lastPart := int64(-1)
	return func(done, all int64) {
		if all <= 0 {
			return
		}
		if part := 20 * done / all; part != lastPart {
			lastPart = part
			fmt.Fprintf(w, "\rdownloaded %3d %% of %d MB", 5*part, all>>20)
			if done == all {
				fmt.Fprintln(w)
			}
		}
	}
}

func writeInstalled(w io.Writer, installed device.Installed) error {
	verb := "installed"
	if installed.Already {
		verb = "already installed:"
	}
	fmt.Fprintf(w, "%s %s\n  from %s, SHA-256 %s as pinned, PJRT %s\n", verb, installed.Plugin.Path, installed.Wheel,
		installed.SHA256, installed.Plugin.Version)
	for _, file := range installed.Files {
		if file != installed.Plugin.Path {
			fmt.Fprintf(w, "  %s\n", file)
		}
	}
	for _, note := range installed.Notes {
		fmt.Fprintln(w, note)
	}
	return nil
}
