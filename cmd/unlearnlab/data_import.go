package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/salmu512"
)

// imported is what an import found and did.
type imported struct {
	OK         bool               `json:"ok"`
	Reports    []*salmu512.Report `json:"reports"`
	Registered map[string]string  `json:"registered"` // name → folder
}

func dataImportCommand() *cobra.Command {
	var flags storeFlags
	var deep bool
	command := &cobra.Command{
		Use:   "import salmu DIR",
		Short: "Check a download of SALMUBench's data, say what is missing, and remember where it lies",
		Long: `Check a download of cvc-mmu/salmu-512-redistributed, of cvc-mmu/salmubench-512-redistributed, or a
folder with both, and remember where it lies for the paper preset. Nothing is copied. A download in
which something is missing or cannot be read is not remembered, and the exit code is 3. A download
that differs from the published data is remembered, and warnings name the differences.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 || args[0] != "salmu" {
				return usagef("expected salmu and the folder of the download, got %q", args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			done, err := importSalmu(ctx, flags.home, args[1], deep)
			if err != nil {
				return err
			}
			if flags.asJSON {
				err = writeJSON(c.OutOrStdout(), done)
			} else {
				done.write(c.OutOrStdout())
			}
			if err == nil && !done.OK {
				err = errCheck
			}
			return err
		},
	}
	flags.add(command)
	command.Flags().BoolVar(&deep, "deep", false, "decode every image, which takes minutes")
	return command
}

func importSalmu(ctx context.Context, home, dir string, deep bool) (imported, error) {
	done := imported{OK: true, Reports: []*salmu512.Report{}, Registered: map[string]string{}}
	s, err := openStore(home)
	if err != nil {
		return done, err
	}
	for _, folder := range salmu512.Find(dir) {
		if folder, err = filepath.Abs(folder); err != nil {
			return done, err
		}
		report, err := salmu512.Check(ctx, folder, deep)
		if err != nil {
			return done, err
		}
		done.Reports = append(done.Reports, report)
		done.OK = done.OK && report.OK
		if !report.OK {
			continue
		}
		if err := s.SetData(report.Kind.Name(), folder); err != nil {
			return done, err
		}
		done.Registered[report.Kind.Name()] = folder
	}
	return done, nil
}

func (i imported) write(w io.Writer) {
	for _, report := range i.Reports {
		writeDownload(w, report)
		if report.OK {
			fmt.Fprintf(w, "remembered as %s\n", report.Kind.Name())
		} else {
			fmt.Fprintln(w, "not remembered: mend the errors and import it again")
		}
	}
}

func writeDownload(w io.Writer, r *salmu512.Report) {
	if r.Kind != "" {
		fmt.Fprintf(w, "SALMUBench's %s data in %s: %d images, %d of them decoded\n", r.Kind, r.Dir, r.Images,
			r.Decoded)
	}
	for _, count := range r.Splits {
		fmt.Fprintf(w, "  %-20s %6d rows %4d people\n", count.Split, count.Rows, count.People)
	}
	for _, finding := range r.Findings {
		fmt.Fprintln(w, finding)
	}
}
