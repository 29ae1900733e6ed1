package train

import (
	"context"
	"io"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profilefolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/salmu512"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
)

// Download describes the published data of a paper.
type Download struct {
	Paper string
	About string   // description of the folders that the download has
	Names []string // names of the data sets in the store's settings
	Find  func(dir string) (folders []string)
	Check func(ctx context.Context, folder string, deep bool) (Report, error)
}

// Report is the result of checking a data set. Encoded as JSON, it has all details.
type Report interface {
	Name() string // name of the data set
	Usable() bool
	Write(w io.Writer) // prints the report as text
}

// Downloads lists the downloads of all papers.
var Downloads = []Download{{
	Paper: "salmu",
	About: "cvc-mmu/salmu-512-redistributed, cvc-mmu/salmubench-512-redistributed, or both",
	Names: []string{salmu512.Training.Name(), salmu512.Benchmark.Name()},
	Find:  salmu512.Find,
	Check: asReport(salmu512.Check),
}, {
	Paper: "unslu",
	About: "Fluent Speech Commands, SLURP, ITALIC, Speech-MASSIVE (de-DE, fr-FR), or several",
	Names: namesOf(speechfolder.Kinds),
	Find:  speechfolder.Find,
	Check: asReport(speechfolder.Check),
}, {
	Paper: "remem",
	About: "herbwood27/Remem, gray311/FIUBench, MLLMMU/MLLMU-Bench, or several",
	Names: namesOf(profilefolder.Kinds),
	Find:  profilefolder.Find,
	Check: asReport(profilefolder.Check),
}}

// asReport converts a check that returns its own report type into a check that returns a Report.
func asReport[R Report](check func(context.Context, string, bool) (R, error)) func(context.Context, string, bool) (
	Report, error) {
	return func(ctx context.Context, folder string, deep bool) (Report, error) {
		report, err := check(ctx, folder, deep)
		if err != nil {
			return nil, err // report would be a non-nil interface with a nil value
		}
		return report, nil
	}
}

// namesOf returns the names that data sets have in the store's settings.
func namesOf[K interface{ Name() string }](kinds []K) (names []string) {
	for _, kind := range kinds {
		names = append(names, kind.Name())
	}
	return names
}

// DownloadOf returns the download of a paper's data. ok is false for other papers.
func DownloadOf(paper string) (d Download, ok bool) {
	for _, d := range Downloads {
		if d.Paper == paper {
			return d, true
		}
	}
	return d, false
}

// Downloadable returns the papers with published data that can be checked.
func Downloadable() []string {
	var papers []string
	for _, d := range Downloads {
		papers = append(papers, d.Paper)
	}
	return papers
}
