// Package notebook builds, checks and grades notebooks.
package notebook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/notebook"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// sourcesPattern matches the notebook sources of the project.
const sourcesPattern = "notebooks/src/*.md"

func Command() *cobra.Command {
	command := &cobra.Command{
		Use:   "notebook",
		Short: "Build, run and check notebooks without Jupyter",
		Long: `A notebook is written in Markdown with fences of Go (notebooks/src/NAME.md). notebooks/NAME.ipynb is
built from it, executed, and committed with its figures. Without arguments the verbs process every
source of the project.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return cli.VerbOrHelp(c, args)
		},
	}
	command.AddCommand(notebookBuild(), notebookRun(), notebookCheck(), notebookAnswer(),
		notebookGrade())
	return command
}

// notebookFiles returns args, which must have one of the endings, or all sources of the project if args is empty.
func notebookFiles(args []string, endings ...string) ([]string, error) {
	if len(args) == 0 {
		found, err := filepath.Glob(sourcesPattern)
		if err == nil && len(found) == 0 {
			return nil, cli.Usagef("there is no %s here; change to the project's folder or name files", sourcesPattern)
		}
		return found, err
	}
	for _, path := range args {
		ok := false
		for _, ending := range endings {
			ok = ok || strings.HasSuffix(path, ending)
		}
		if !ok {
			return nil, cli.Usagef("%s does not end in %s", path, strings.Join(endings, " or "))
		}
	}
	return args, nil
}

func notebookBuild() *cobra.Command {
	return &cobra.Command{
		Use:   "build [SOURCE.md…]",
		Short: "Write the .ipynb of Markdown sources; unchanged cells keep their outputs",
		RunE: func(c *cobra.Command, args []string) error {
			sources, err := notebookFiles(args, ".md")
			if err != nil {
				return err
			}
			for _, source := range sources {
				path := notebook.Path(source)
				n, err := notebook.Build(source, path)
				if err != nil {
					return err
				}
				if err := n.WriteFile(path); err != nil {
					return err
				}
				fmt.Fprintln(c.OutOrStdout(), path)
			}
			return nil
		},
	}
}

// notebookRuns holds the flags for running notebooks.
type notebookRuns struct {
	kernel  string
	timeout time.Duration
	allow   bool
	afresh  bool
}

func (r *notebookRuns) register(c *cobra.Command) {
	c.Flags().StringVar(&r.kernel, "kernel", notebook.KernelName, "name of the installed kernel")
	c.Flags().DurationVar(&r.timeout, "timeout", notebook.DefaultTimeout,
		"time limit of cells without their own")
}

// laboratory creates an empty home for the cells if afresh is set, so that outputs do not depend on the user's runs. It
// returns the environment variables for the cells and a function that removes the home.
func (r *notebookRuns) laboratory() (variables []string, clear func(), err error) {
	if !r.afresh {
		return nil, func() {}, nil
	}
	folder, err := os.MkdirTemp("", "unlearnlab-empty-")
	if err != nil {
		return nil, nil, err
	}
	return []string{store.HomeVariable + "=" + folder}, func() { os.RemoveAll(folder) }, nil
}

// run executes a notebook in a folder and prints a line for each finished cell.
func (r *notebookRuns) run(ctx context.Context, n *notebook.Notebook, folder, name string, progress io.Writer) error {
	kernel, err := notebook.FindKernel(r.kernel)
	if err != nil {
		return err
	}
	kernel.Dir = folder
	variables, clear, err := r.laboratory()
	if err != nil {
		return err
	}
	defer clear()
	kernel.Env = append(kernel.Env, variables...)
	err = notebook.Run(ctx, n, kernel,
		notebook.Options{Timeout: r.timeout, AllowErrors: r.allow, Progress: func(e notebook.Event) {
			switch {
			case e.Ended && e.Err != nil:
				fmt.Fprintf(progress, "%s %d/%d %s: failed after %v\n", name, e.Number, e.Total, e.Label,
					e.Elapsed.Round(10*time.Millisecond))
			case e.Ended:
				fmt.Fprintf(progress, "%s %d/%d %s: %v\n", name, e.Number, e.Total, e.Label,
					e.Elapsed.Round(10*time.Millisecond))
			}
		}})
	var failed *notebook.CellError
	if errors.As(err, &failed) {
		fmt.Fprintln(progress, failed.Detail)
	}
	return err
}

func notebookRun() *cobra.Command {
	var runs notebookRuns
	var output string
	var page bool
	command := &cobra.Command{
		Use:   "run [FILE…]",
		Short: "Execute notebooks and write their outputs into them",
		Long: `Execute notebooks cell by cell on the installed kernel and write the outputs into the .ipynb. A .md
source is built first. If a cell fails, the run ends with exit code 1, and the compiler's messages
or the trace go to stderr; the outputs of earlier cells are still written. Ctrl-C interrupts the
running cell and ends the run.`,
		Example: `  unlearnlab notebook run
  unlearnlab notebook run notebooks/00-tour.ipynb --html -o tour.ipynb`,
		RunE: func(c *cobra.Command, args []string) error {
			files, err := notebookFiles(args, ".md", ".ipynb")
			if err != nil {
				return err
			}
			if output != "" && len(files) != 1 {
				return cli.Usagef("--output takes one notebook, not %d", len(files))
			}
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			for _, file := range files {
				n, path, err := openNotebook(file)
				if err != nil {
					return err
				}
				failure := runs.run(ctx, n, filepath.Dir(path), path, c.ErrOrStderr())
				var failed *notebook.CellError
				if failure != nil && !errors.As(failure, &failed) && ctx.Err() == nil {
					return failure
				}
				if output != "" {
					path = output
				}
				if err := writeNotebook(c.OutOrStdout(), n, path, page); err != nil {
					return err
				}
				if failure != nil && (!runs.allow || ctx.Err() != nil) {
					return failure
				}
			}
			return nil
		},
	}
	runs.register(command)
	command.Flags().BoolVar(&runs.allow, "allow-errors", false,
		"continue after a failed cell, and end with exit code 0")
	command.Flags().BoolVar(&runs.afresh, "afresh", false,
		"give cells an empty laboratory, as check does, so that outputs do not depend on your runs")
	command.Flags().StringVarP(&output, "output", "o", "", "write to this file instead of the notebook")
	command.Flags().BoolVar(&page, "html", false, "also write the notebook as a self-contained HTML page")
	return command
}

// openNotebook reads a notebook, or builds it from its source, and returns it with its path.
func openNotebook(file string) (*notebook.Notebook, string, error) {
	if strings.HasSuffix(file, ".md") {
		path := notebook.Path(file)
		n, err := notebook.Build(file, path)
		return n, path, err
	}
	n, err := notebook.Read(file)
	return n, file, err
}

func writeNotebook(stdout io.Writer, n *notebook.Notebook, path string, page bool) error {
	if err := n.WriteFile(path); err != nil {
		return err
	}
	fmt.Fprintln(stdout, path)
	if !page {
		return nil
	}
	base := strings.TrimSuffix(path, ".ipynb")
	err := safefile.WriteFile(base+".html", func(w io.Writer) error { return n.HTML(w, filepath.Base(base)) })
	if err == nil {
		fmt.Fprintln(stdout, base+".html")
	}
	return err
}

func notebookCheck() *cobra.Command {
	var runs notebookRuns
	var still bool
	var atOnce int
	runs.afresh = true
	command := &cobra.Command{
		Use:   "check [SOURCE.md…]",
		Short: "Check that committed notebooks match their sources and give the same outputs",
		Long: `Compare each committed .ipynb with its source, and its outputs with the outputs of a new run:
figures by their pixels, everything else as text. Progress bars and cells marked volatile are not
compared. Cells get an empty laboratory, so that your own runs make no difference. Several notebooks
run at the same time, each on its own kernel. The exit code is 3 if something differs.`,
		RunE: func(c *cobra.Command, args []string) error {
			sources, err := notebookFiles(args, ".md")
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			found, err := runs.checkAll(ctx, sources, still, atOnce, c.ErrOrStderr())
			clean := true
			for i, source := range sources {
				for _, difference := range found[i] {
					fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", notebook.Path(source), difference)
				}
				clean = clean && len(found[i]) == 0
			}
			if err != nil {
				return err
			}
			if !clean {
				return cli.ErrCheck
			}
			fmt.Fprintf(c.OutOrStdout(), "%d notebooks are up to date\n", len(sources))
			return nil
		},
	}
	runs.register(command)
	command.Flags().BoolVar(&still, "no-run", false, "only compare with the source")
	command.Flags().IntVar(&atOnce, "at-once", 2,
		"number of notebooks that run at the same time; building a cell takes up to 1 GB")
	return command
}

// checkAll checks several sources concurrently and returns the differences by source.
func (r *notebookRuns) checkAll(
	ctx context.Context, sources []string, still bool, atOnce int, progress io.Writer,
) ([][]notebook.Difference, error) {
	found := make([][]notebook.Difference, len(sources))
	lines := &lineWriter{to: progress}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, atOnce))
	for i, source := range sources {
		group.Go(func() error {
			var err error
			found[i], err = r.check(ctx, source, still, lines)
			return err
		})
	}
	return found, group.Wait()
}

// A lineWriter serializes the writes of several goroutines.
type lineWriter struct {
	mutex sync.Mutex
	to    io.Writer
}

func (w *lineWriter) Write(line []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.to.Write(line)
}

func (r *notebookRuns) check(ctx context.Context, source string, still bool, progress io.Writer) ([]notebook.Difference,
	error) {
	s, err := notebook.ReadSource(source)
	if err != nil {
		return nil, err
	}
	path := notebook.Path(source)
	committed, err := notebook.Read(path)
	if err != nil {
		return nil, err
	}
	found := notebook.Stale(committed, s)
	if still || len(found) > 0 {
		return found, nil
	}
	fresh := s.Notebook()
	err = r.run(ctx, fresh, filepath.Dir(path), path, progress)
	var failed *notebook.CellError
	if errors.As(err, &failed) {
		return []notebook.Difference{{Label: failed.Label, What: "fails: " + failed.Reason}}, nil
	}
	if err != nil {
		return nil, err
	}
	return notebook.Changed(committed, fresh), nil
}
