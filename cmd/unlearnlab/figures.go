package main

import (
	"fmt"
	"html"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/printed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// figureFlags are the flags of the verb figures.
type figureFlags struct {
	out, theme string
	formats    []string
	data       bool
	study      studyFlags
}

func figuresCommand() *cobra.Command {
	var flags figureFlags
	var listing strings.Builder
	for _, d := range drawings {
		fmt.Fprintf(&listing, "  %-12s %-8s %s\n", d.paper, d.name, d.about)
	}
	command := &cobra.Command{
		Use:   "figures [PAPER [FIGURE]]",
		Short: "Draw figures; without a paper, everything as pages too",
		Long: `Draw a figure, the figures of a paper, or all of them with a page for each paper: its audit, its figures and its printed tables, as HTML and Markdown. In a notebook
figures appear in place.

` + listing.String(),
		Example: "  unlearnlab figures\n  unlearnlab figures unslu gum --format pdf\n  unlearnlab figures " +
			"concealment crs --data",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 2 {
				return usagef("expected a paper and a figure, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			chosen, err := choose(args)
			if err != nil {
				return err
			}
			if err := flags.check(); err != nil {
				return err
			}
			s := newReader(flags.study, c.ErrOrStderr())
			switch {
			case flags.data:
				return writeData(c.OutOrStdout(), chosen, s)
			case len(args) == 0 && !kernelext.InNotebook():
				return writeFigures(c.OutOrStdout(), flags, s)
			}
			_, err = drawAll(c.OutOrStdout(), chosen, flags, s)
			return err
		},
	}
	command.Flags().StringVar(&flags.out, "out", "out", "folder to write to")
	command.Flags().StringVar(&flags.theme, "theme", "light", "light or dark")
	command.Flags().StringSliceVar(&flags.formats, "format", []string{"png", "svg", "pdf"}, "files to write")
	command.Flags().BoolVar(&flags.data, "data", false, "print the plotted numbers of one figure as JSON")
	flags.study.add(command)
	return command
}

// writeFigures draws every figure and writes a page of each paper with its audit, its figures and its printed tables,
// the same as Markdown, and an index.
func writeFigures(w io.Writer, flags figureFlags, s *reader) error {
	drawn, err := drawAll(w, drawings, flags, s)
	if err != nil {
		return err
	}
	var index strings.Builder
	index.WriteString("<p>What four papers on machine unlearning print, and how far their numbers agree with each " +
		"other.</p>\n<ul>\n")
	for _, paper := range papers.Names {
		findings, err := audit.Run(paper)
		if err != nil {
			return err
		}
		tables, err := s.tables(paper)
		if err != nil {
			return err
		}
		tables = append(tables, auditTable(paper, findings, false))
		for _, item := range papers.ItemsOf(paper) {
			table, err := printed.Table(paper, item)
			if err != nil {
				return err
			}
			tables = append(tables, table)
		}
		if err := writePages(w, flags, paper, drawingsOf(paper, drawn), tables); err != nil {
			return err
		}
		fmt.Fprintf(&index, "<li><a href=\"%s.html\">%s</a>: %s (<a href=\"%s.md\">Markdown</a>)</li>\n",
			paper, html.EscapeString(printed.Titles[paper]), headline(findings), paper)
	}
	index.WriteString("</ul>\n")
	return writePath(w, filepath.Join(flags.out, "index.html"), func(target io.Writer) error {
		return report.Page(target, "unlearnlab", index.String())
	})
}

// writePages writes one paper's figures and tables as a page and as Markdown.
func writePages(w io.Writer, flags figureFlags, paper string, drawn []drawing, tables []*report.Table) error {
	var fragments, markdown strings.Builder
	fmt.Fprintf(&markdown, "# %s\n\n", printed.Titles[paper])
	if slices.Contains(flags.formats, "png") {
		for _, d := range drawn {
			path := paper + "/figure" + d.name + ".png"
			fmt.Fprintf(&fragments, "<p><img src=\"%s\" alt=\"%s\" style=\"max-width:min(100%%,640px)\"></p>\n", path,
				html.EscapeString(d.about))
			fmt.Fprintf(&markdown, "![%s](%s)\n\n", d.about, path)
		}
	}
	for _, table := range tables {
		if err := table.HTML(&fragments); err != nil {
			return err
		}
		if err := table.Markdown(&markdown); err != nil {
			return err
		}
		markdown.WriteString("\n")
	}
	if err := writePath(w, filepath.Join(flags.out, paper+".html"), func(target io.Writer) error {
		return report.Page(target, printed.Titles[paper], fragments.String())
	}); err != nil {
		return err
	}
	return writePath(w, filepath.Join(flags.out, paper+".md"), func(target io.Writer) error {
		_, err := io.WriteString(target, markdown.String())
		return err
	})
}
