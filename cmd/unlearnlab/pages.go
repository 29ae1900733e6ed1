package main

import (
	_ "embed"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/printed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

//go:embed pages.html
var pagesSource string

var pages = template.Must(template.New("").Parse(pagesSource))

// paperPage is what the page of one paper shows.
type paperPage struct {
	Name, Title string
	Headline    string // the verdicts of its audit, counted
	Pictures    []picture
	Tables      []template.HTML
}

// picture is a figure in a file beside the page.
type picture struct{ Path, About, Explanation string }

// writeFigures draws every figure and writes a page of each paper with its audit, its figures and its printed tables,
// the same as Markdown, and an index.
func writeFigures(w io.Writer, flags figureFlags, s *reader) error {
	drawn, err := drawAll(w, drawings(), flags, s)
	if err != nil {
		return err
	}
	var index []paperPage
	for _, name := range papers.Names {
		findings, err := audit.Run(name)
		if err != nil {
			return err
		}
		page := paperPage{Name: name, Title: printed.Titles[name], Headline: headline(findings)}
		if slices.Contains(flags.formats, "png") {
			for _, d := range drawingsOf(name, drawn) {
				page.Pictures = append(page.Pictures, picture{name + "/figure" + d.Name + ".png", d.About,
					d.explanation})
			}
		}
		tables, err := s.tables(name)
		if err != nil {
			return err
		}
		tables = append(tables, auditTable(name, findings, false))
		for _, item := range papers.ItemsOf(name) {
			table, err := printed.Table(name, item)
			if err != nil {
				return err
			}
			tables = append(tables, table)
		}
		if err := page.write(w, flags.out, tables); err != nil {
			return err
		}
		index = append(index, page)
	}
	return writeTemplate(w, filepath.Join(flags.out, "index.html"), "index", index)
}

func writeTemplate(w io.Writer, path, name string, data any) error {
	return writePath(w, path, func(target io.Writer) error { return pages.ExecuteTemplate(target, name, data) })
}

// write writes the paper's page and the same as Markdown.
func (p *paperPage) write(w io.Writer, folder string, tables []*report.Table) error {
	for _, table := range tables {
		var fragment strings.Builder
		if err := table.HTML(&fragment); err != nil {
			return err
		}
		p.Tables = append(p.Tables, template.HTML(fragment.String()))
	}
	if err := writeTemplate(w, filepath.Join(folder, p.Name+".html"), "paper", p); err != nil {
		return err
	}
	return writePath(w, filepath.Join(folder, p.Name+".md"), func(target io.Writer) error {
		return p.markdown(target, tables)
	})
}

func (p *paperPage) markdown(w io.Writer, tables []*report.Table) error {
	var out strings.Builder
	out.WriteString("# " + p.Title + "\n\n")
	for _, picture := range p.Pictures {
		out.WriteString("![" + picture.About + "](" + picture.Path + ")\n\n")
		if picture.Explanation != "" {
			out.WriteString(picture.Explanation + "\n\n")
		}
	}
	for _, table := range tables {
		if err := table.Markdown(&out); err != nil {
			return err
		}
		out.WriteString("\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}
