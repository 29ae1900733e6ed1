// Package kernel installs, checks and runs the JupyterLab kernel.
package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/kernelspec"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

func Command(offers func() launcher.Offers) *cobra.Command {
	command := &cobra.Command{
		Use:   "kernel",
		Short: "Install, remove, check and run the JupyterLab kernel",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return cli.VerbOrHelp(c, args)
		},
	}
	command.AddCommand(kernelInstallCommand(), kernelUninstallCommand(), kernelWarmCommand(), kernelDoctorCommand(),
		kernelRunCommand(offers), kernelGuardCommand())
	return command
}

// kernelRunCommand returns the command that Jupyter starts. It accepts unknown flags, which another version's
// kernelspec may contain, so that the notebook can show the error.
func kernelRunCommand(offers func() launcher.Offers) *cobra.Command {
	var config launcher.Config
	var warm bool
	command := &cobra.Command{
		Use:                "run",
		Short:              "Serve one kernel (Jupyter starts this)",
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(c *cobra.Command, _ []string) error {
			if config.ConnectionFile == "" {
				return cli.Usagef("--kernel is missing: Jupyter starts this command, for example by jupyter console " +
					"--kernel unlearnlab")
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			if config.Tools == "" {
				config.Tools = filepath.Dir(self)
			}
			config.Command, config.Guard, config.Log = self, []string{self, "kernel", "guard"}, c.ErrOrStderr()
			config.Offers = offers()
			if warm {
				config.Warm = func(ctx context.Context) error { return kernelspec.Build(ctx, config.Root) }
			}
			// ignore Ctrl-C in the terminal; Jupyter interrupts by a message
			signal.Notify(make(chan os.Signal, 1), os.Interrupt)
			ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGTERM, syscall.SIGHUP)
			defer stop()
			return launcher.Run(ctx, config)
		},
	}
	flags := command.Flags()
	flags.StringVar(&config.ConnectionFile, "kernel", "", "connection file")
	flags.StringVar(&config.Root, "root", "", "folder of this module")
	flags.StringVar(&config.Tools, "tools", "", "folder with gonb and goimports (default the command's own)")
	flags.BoolVar(&warm, "warm", false, "build what cells import; until then, only cells without Go run")
	flags.BoolVar(&config.RawError, "raw-error", false, "keep gonb's text of errors, for logs")
	return command
}

// kernelGuardCommand returns the hidden command that cleans up after a kernel.
func kernelGuardCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "guard FOLDER PROGRAM [ARGUMENT...]",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return cli.Usagef("the kernel starts its guard itself")
			}
			os.Exit(launcher.Guard(args[0], args[1:], os.Stdin, os.Stderr))
			return nil
		},
	}
}

func kernelInstallCommand() *cobra.Command {
	var k kernelspec.Kernel
	var user, warm bool
	command := &cobra.Command{
		Use:   "install",
		Short: "Install the kernel where Jupyter finds it, and build what its first cell needs",
		Long: `Install the kernel for the module in --root: into the user's Jupyter folder, with --sys-prefix into
the active virtual environment, or with --prefix into a folder of your choice. gonb, goimports and
gopls are built at pinned versions. An older kernel is replaced.`,
		Args: cli.ExactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			if n := countTrue(user, k.SysPrefix, k.Prefix != ""); n > 1 {
				return cli.Usagef("give only one of --user, --prefix and --sys-prefix")
			}
			var err error
			if k.Command, err = os.Executable(); err != nil {
				return err
			}
			if k.Root, err = moduleRoot(k.Root); err != nil {
				return err
			}
			k.Note = func(text string) { fmt.Fprintln(c.ErrOrStderr(), "warning:", text) }
			folder, err := kernelspec.Install(c.Context(), k)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "installed %q in %s\n", kernelspec.DisplayName, folder)
			if !warm {
				return nil
			}
			return warmKernel(c, k.Root, filepath.Join(folder, "bin", "goimports"))
		},
	}
	flags := command.Flags()
	flags.BoolVar(&user, "user", false, "install for this user (the default)")
	flags.StringVar(&k.Prefix, "prefix", "", "install into this folder's share/jupyter/kernels")
	flags.BoolVar(&k.SysPrefix, "sys-prefix", false, "install into the active virtual environment")
	flags.BoolVar(&k.Plain, "plain", false, "run gonb without the launcher, and so without %unlearn lines")
	flags.BoolVar(&k.CI, "ci", false, "keep gonb's text of errors, for logs")
	flags.StringVar(&k.Root, "root", "", aboutRoot)
	flags.BoolVar(&warm, "warm", true, "build what the first cell needs")
	return command
}

func countTrue(conditions ...bool) (n int) {
	for _, c := range conditions {
		if c {
			n++
		}
	}
	return n
}

const aboutRoot = "folder of this module (default: the module of the working directory, or the one that go install " +
	"downloaded)"

// moduleRoot returns the folder of this module: given, the nearest one at or above the working directory, or the one
// that go install downloaded for this program.
func moduleRoot(given string) (string, error) {
	folder, err := filepath.Abs(given)
	if err != nil {
		return "", err
	}
	for at := folder; ; at = filepath.Dir(at) {
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module "+launcher.Module+"\n") {
			return at, nil
		}
		if given == "" && at != filepath.Dir(at) {
			continue
		}
		if given == "" {
			if source, err := downloaded(launcher.Version()); err == nil {
				return source, nil
			}
		}
		return "", fmt.Errorf("%s is not the folder of %s; run this in a clone of it, or give --root", folder,
			launcher.Module)
	}
}

// downloaded returns the folder of this module's version in Go's module cache, after downloading it if needed.
func downloaded(version string) (string, error) {
	if !strings.HasPrefix(version, "v") || strings.Contains(version, "+") {
		return "", fmt.Errorf("%s is no published version", version)
	}
	output, err := exec.Command("go", "mod", "download", "-json", launcher.Module+"@"+version).Output()
	if err != nil {
		return "", err
	}
	var module struct{ Dir string }
	err = json.Unmarshal(output, &module)
	return module.Dir, err
}

func kernelUninstallCommand() *cobra.Command {
	var place kernelspec.Place
	command := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove the kernel",
		Args:  cli.ExactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			folder, err := kernelspec.Uninstall(c.Context(), place)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "removed %s\n", folder)
			return err
		},
	}
	command.Flags().StringVar(&place.Prefix, "prefix", "", "remove from this folder's share/jupyter/kernels")
	command.Flags().BoolVar(&place.SysPrefix, "sys-prefix", false, "remove from the active virtual environment")
	return command
}

func kernelWarmCommand() *cobra.Command {
	var root string
	command := &cobra.Command{
		Use:   "warm",
		Short: "Build what the first cell needs, with the kernel's flags",
		Args:  cli.ExactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			found, err := moduleRoot(root)
			if err != nil {
				return err
			}
			return warmKernel(c, found, "")
		},
	}
	command.Flags().StringVar(&root, "root", "", aboutRoot)
	return command
}

func warmKernel(c *cobra.Command, root, goimports string) error {
	cell, err := kernelspec.Warm(c.Context(), root, goimports)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "warm: a cell builds in %.2f s\n", cell.Seconds())
	return err
}

func kernelDoctorCommand() *cobra.Command {
	var root string
	var asJSON bool
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Check the kernel, and name the command that repairs what is missing",
		Args:  cli.ExactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			if found, err := moduleRoot(root); err == nil {
				root = found
			}
			findings := kernelspec.Doctor(c.Context(), root)
			healthy := kernelspec.Healthy(findings)
			if asJSON {
				if err := cli.WriteJSON(c.OutOrStdout(), map[string]any{"ok": healthy,
					"findings": findings}); err != nil {
					return err
				}
			} else {
				for _, f := range findings {
					fmt.Fprintln(c.OutOrStdout(), f)
				}
			}
			if !healthy {
				return errors.New("something is missing; the lines above name the remedy")
			}
			return nil
		},
	}
	command.Flags().StringVar(&root, "root", "", "folder of this module, if no installed kernel names it")
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return command
}
