package data

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
)

// imported is the outcome of an import.
type imported struct {
	OK         bool              `json:"ok"`
	Reports    []labs.Report     `json:"reports"`
	Registered map[string]string `json:"registered"` // folder of each data set
}

func dataImportCommand() *cobra.Command {
	var flags storeFlags
	var deep bool
	command := &cobra.Command{
		Use:   "import PAPER DIR",
		Short: "Check a download of a paper's data and register its folder",
		Long: `Check a download of a paper's data and register its folder for the paper preset. Nothing is
copied. An incomplete or unreadable download is not registered, and the exit code is 3. A download
that differs from the published data is registered, and warnings name the differences. DIR is the
folder of a download, or a folder with several downloads:

` + published(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 || papers.Of(args[0]) == nil {
				var names []string
				for _, lab := range labs.Downloadable() {
					names = append(names, lab.Study.Paper)
				}
				return cli.Usagef("expected %s and the folder of the download, got %q", strings.Join(names, " or "), args)
			}
			_, err := labs.DownloadOf(args[0])
			return err
		},
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			done, err := importDownload(ctx, args[0], flags.home, args[1], deep)
			if err != nil {
				return err
			}
			if flags.asJSON {
				err = cli.WriteJSON(c.OutOrStdout(), done)
			} else {
				done.write(c.OutOrStdout())
			}
			if err == nil && !done.OK {
				err = cli.ErrCheck
			}
			return err
		},
	}
	flags.add(command)
	command.Flags().BoolVar(&deep, "deep", false, "decode every image or recording, which takes minutes")
	return command
}

// published describes the downloads that can be imported, one per line.
func published() string {
	var lines strings.Builder
	for _, lab := range labs.Downloadable() {
		fmt.Fprintf(&lines, "  %-12s %s\n", lab.Study.Paper, lab.Download.About)
	}
	return lines.String()
}

func importDownload(ctx context.Context, paper, home, dir string, deep bool) (imported, error) {
	done := imported{OK: true, Reports: []labs.Report{}, Registered: map[string]string{}}
	s, err := studies.OpenStore(home)
	if err != nil {
		return done, err
	}
	download, err := labs.DownloadOf(paper)
	if err != nil {
		return done, err
	}
	for _, folder := range download.Find(dir) {
		if folder, err = filepath.Abs(folder); err != nil {
			return done, err
		}
		report, err := download.Check(ctx, folder, deep)
		if err != nil {
			return done, err
		}
		done.Reports = append(done.Reports, report)
		done.OK = done.OK && report.Usable()
		if !report.Usable() {
			continue
		}
		if err := s.SetData(report.Name(), folder); err != nil {
			return done, err
		}
		done.Registered[report.Name()] = folder
	}
	return done, nil
}

func (i imported) write(w io.Writer) {
	for _, report := range i.Reports {
		report.Write(w)
		if report.Usable() {
			fmt.Fprintf(w, "registered as %s\n", report.Name())
		} else {
			fmt.Fprintln(w, "not registered: repair the errors and import it again")
		}
	}
}
