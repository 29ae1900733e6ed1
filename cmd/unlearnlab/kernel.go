package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext/launcher"
)

func kernelCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "kernel",
		Short: "The JupyterLab kernel: install, remove, check and run it",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no kernel verb %q; unlearnlab kernel --help lists them", args[0])
			}
			return c.Help()
		},
	}
	command.AddCommand(kernelRunCommand(), kernelGuardCommand())
	return command
}

// kernelRunCommand is what Jupyter starts. It takes what it does not know for the words of another version's kernelspec, so that the notebook hears of it.
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
