package main

import (
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/printed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

func figuresCommand() *cobra.Command {
	var out string
	command := &cobra.Command{
		Use:   "figures",
		Short: "Write the audit and the printed tables as HTML and Markdown",
		Args:  exactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return writeFigures(c.OutOrStdout(), out)
		},
	}
	command.Flags().StringVar(&out, "out", "out", "folder to write to")
	return command
}

// writeFigures writes a page of each paper with its audit and its printed tables, the same as Markdown, and an index.
func writeFigures(w io.Writer, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("make the folder %s: %w", out, err)
	}
	var index strings.Builder
	index.WriteString("<p>What four papers on machine unlearning print, and how far their numbers agree with each other.</p>\n<ul>\n")
	for _, paper := range papers.Names {
		findings, err := audit.Run(paper)
		if err != nil {
			return err
		}
		tables := []*report.Table{auditTable(paper, findings, false)}
		for _, item := range papers.List() {
			if item.Paper != paper {
				continue
			}
			table, err := printed.Table(paper, item.Name)
			if err != nil {
				return err
			}
			tables = append(tables, table)
		}
		if err := writePages(w, out, paper, tables); err != nil {
			return err
		}
		fmt.Fprintf(&index, "<li><a href=\"%s.html\">%s</a>: %s (<a href=\"%s.md\">Markdown</a>)</li>\n",
			paper, html.EscapeString(printed.Titles[paper]), headline(findings), paper)
	}
	index.WriteString("</ul>\n")
	return writePath(w, filepath.Join(out, "index.html"), func(target io.Writer) error {
		return report.Page(target, "unlearnlab", index.String())
	})
}

// writePages writes one paper's tables as a page and as Markdown.
func writePages(w io.Writer, out, paper string, tables []*report.Table) error {
	var fragments, markdown strings.Builder
	fmt.Fprintf(&markdown, "# %s\n\n", printed.Titles[paper])
	for _, table := range tables {
		if err := table.HTML(&fragments); err != nil {
			return err
		}
		if err := table.Markdown(&markdown); err != nil {
			return err
		}
		markdown.WriteString("\n")
	}
	if err := writePath(w, filepath.Join(out, paper+".html"), func(target io.Writer) error {
		return report.Page(target, printed.Titles[paper], fragments.String())
	}); err != nil {
		return err
	}
	return writePath(w, filepath.Join(out, paper+".md"), func(target io.Writer) error {
		_, err := io.WriteString(target, markdown.String())
		return err
	})
}

// writePath writes a whole file and then names it.
func writePath(w io.Writer, path string, write func(io.Writer) error) error {
	if err := safefile.WriteFile(path, write); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, path)
	return err
}
