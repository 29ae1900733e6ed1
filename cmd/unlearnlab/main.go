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
	var verbs []*cobra.Command
	for _, g := range groups() {
		for _, verb := range g.verbs {
			verb.GroupID = g.title
		}
		verbs = append(verbs, g.verbs...)
	}
	completeArguments(verbs, offers())
	return cli.Run(args, stdout, stderr, verbs...)
}

// group is a group of verbs, as help lists them.
type group struct {
	title string
	verbs []*cobra.Command
}

func groups() []group {
	return []group{
		{"Results of the papers", []*cobra.Command{table.Command(), claims.Command(), figures.Command(), report.Command(),
			audit.Command(), trace.Command()}},
		{"Your own models and scores", []*cobra.Command{evaluate.Command(), compare.Command(), stat.Command(), attack.Command(),
			language.ExposureCommand(), language.CausalCommand(), judge.Command(), model.Command()}},
		{"Running the studies", []*cobra.Command{run.Command(), verify.Command(), data.Command()}},
		{"This machine", []*cobra.Command{device.DoctorCommand(), device.Command(), kernel.Command(offers), notebook.Command(),
			completionCommand()}},
	}
}
