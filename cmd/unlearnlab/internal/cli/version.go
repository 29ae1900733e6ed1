package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionCommand returns the verb version, which prints the same as --version.
func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  ExactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(c.OutOrStdout(), "%s %s\n", c.Root().Name(), version())
			return err
		},
	}
}

func version() string {
	return fmt.Sprintf("%s, %s, %s/%s", Release(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// release is the version of the Python wheel, if cmd/wheels has built the command for one.
var release string

// Release returns the release, or the commit if there is none.
func Release() string {
	if release != "" {
		return release
	}
	what := "(built without a version)"
	if build, ok := debug.ReadBuildInfo(); ok {
		settings := map[string]string{}
		for _, s := range build.Settings {
			settings[s.Key] = s.Value
		}
		switch revision := settings["vcs.revision"]; {
		case build.Main.Version != "" && build.Main.Version != "(devel)":
			what = build.Main.Version
		case revision != "":
			what = revision[:min(12, len(revision))]
			if settings["vcs.modified"] == "true" {
				what += ", changed"
			}
		}
	}
	return what
}
