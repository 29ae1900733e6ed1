// Command unlearnlab is the laboratory's command line: flags in, library calls, tables out.
package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/attack"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/audit"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/claims"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/compare"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/data"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/device"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/evaluate"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/figures"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/judge"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/kernel"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/language"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/model"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/notebook"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/report"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/run"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/stat"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/table"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/trace"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/verify"
)

func main() {
	os.Exit(command(os.Args[1:], os.Stdout, os.Stderr))
}

// command executes a command line and returns its exit code.
func command(args []string, stdout, stderr io.Writer) int {
	verbs := []*cobra.Command{stat.Command(), compare.Command(), table.Command(), audit.Command(), figures.Command(), report.Command(),
		kernel.Command(offers), notebook.Command(), device.Command(), model.Command(), data.Command(),
		device.DoctorCommand(), run.Command(), claims.Command(), evaluate.Command(), trace.Command(), verify.Command(), attack.Command(),
		language.ExposureCommand(), language.CausalCommand(), judge.Command(), completionCommand()}
	completeArguments(verbs, offers())
	return cli.Run(args, stdout, stderr, verbs...)
}
