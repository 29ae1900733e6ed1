package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/kernelspec"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

func kernelCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "kernel",
		Short: "Install, remove, check and run the JupyterLab kernel",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return verbOrHelp(c, args)
		},
	}
	command.AddCommand(kernelInstallCommand(), kernelUninstallCommand(), kernelWarmCommand(), kernelDoctorCommand(),
		kernelRunCommand(), kernelGuardCommand())
	return command
}

// kernelRunCommand is what Jupyter starts. It takes what it does not know for the words of another version's
// kernelspec, so that the notebook hears of it.
func kernelRunCommand() *cobra.Command {
	var config launcher.Config
	command := &cobra.Command{
		Use:                "run",
		Short:              "Serve one kernel (Jupyter starts this)",
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(c *cobra.Command, _ []string) error {
			if config.ConnectionFile == "" {
				return usagef("--kernel is missing: Jupyter starts this, or jupyter console --kernel unlearnlab")
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
			// a terminal's Ctrl-C is not for the kernel; Jupyter interrupts by message
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
	flags.BoolVar(&config.RawError, "raw-error", false, "leave errors in gonb's words, for logs")
	return command
}

// kernelGuardCommand is what the kernel starts to be cleaned up after.
func kernelGuardCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "guard FOLDER PROGRAM [ARGUMENT...]",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("the kernel starts its guard itself")
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
		Long: `Install the kernel for the module in --root. It goes to the user's Jupyter folder, with --sys-prefix
to the active virtual environment, with --prefix to a folder of yours. gonb, goimports and gopls are
built at the versions that are pinned. An older kernel is replaced.`,
		Args: exactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			if n := countTrue(user, k.SysPrefix, k.Prefix != ""); n > 1 {
				return usagef("--user, --prefix and --sys-prefix exclude each other")
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
	flags.BoolVar(&user, "user", false, "for this user (the default)")
	flags.StringVar(&k.Prefix, "prefix", "", "into this folder's share/jupyter/kernels")
	flags.BoolVar(&k.SysPrefix, "sys-prefix", false, "into the active virtual environment")
	flags.BoolVar(&k.Plain, "plain", false, "gonb alone, without %unlearn lines and without the launcher")
	flags.BoolVar(&k.CI, "ci", false, "errors in gonb's own words, for logs")
	flags.StringVar(&k.Root, "root", "", "folder of this module (default: the one around the working directory)")
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

// moduleRoot finds the folder of this module: the given one, or the nearest around the working directory with its
// go.mod.
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
		if given != "" || at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not the folder of %s; run this in a clone of it, or give --root", folder,
				launcher.Module)
		}
	}
}

func kernelUninstallCommand() *cobra.Command {
	var place kernelspec.Place
	command := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove the kernel",
		Args:  exactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			folder, err := kernelspec.Uninstall(c.Context(), place)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "removed %s\n", folder)
			return err
		},
	}
	command.Flags().StringVar(&place.Prefix, "prefix", "", "from this folder's share/jupyter/kernels")
	command.Flags().BoolVar(&place.SysPrefix, "sys-prefix", false, "from the active virtual environment")
	return command
}

func kernelWarmCommand() *cobra.Command {
	var root string
	command := &cobra.Command{
		Use:   "warm",
		Short: "Build what the first cell needs, with the kernel's flags",
		Args:  exactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			found, err := moduleRoot(root)
			if err != nil {
				return err
			}
			return warmKernel(c, found, "")
		},
	}
	command.Flags().StringVar(&root, "root", "",
		"folder of this module (default: the one around the working directory)")
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
		Short: "Say what the kernel has and what it misses, and the command that mends it",
		Args:  exactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			if found, err := moduleRoot(root); err == nil {
				root = found
			}
			findings := kernelspec.Doctor(c.Context(), root)
			healthy := kernelspec.Healthy(findings)
			if asJSON {
				if err := writeJSON(c.OutOrStdout(), map[string]any{"ok": healthy, "findings": findings}); err != nil {
					return err
				}
			} else {
				for _, f := range findings {
					fmt.Fprintln(c.OutOrStdout(), f)
				}
			}
			if !healthy {
				return errors.New("the kernel misses something; the lines above say what mends it")
			}
			return nil
		},
	}
	command.Flags().StringVar(&root, "root", "", "folder of this module, where no installed kernel says it")
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return command
}
