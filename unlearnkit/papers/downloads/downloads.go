// Package downloads names the published data of papers that can be looked through, once. It links what reads them;
// package studies does not.
package downloads

import (
	"context"
	"io"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profilefolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/salmu512"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
)

// Download is what somebody may have downloaded of a paper's data.
type Download struct {
	Paper string
	About string   // which folders it is
	Names []string // of its data sets, as the store remembers their folders
	Find  func(dir string) (folders []string)
	Check func(ctx context.Context, folder string, deep bool) (Report, error)
}

// Report is what a look through one data set found; as JSON it is the whole of it.
type Report interface {
	Name() string // of the data set
	Usable() bool
	Write(w io.Writer) // in words
}

// All are the downloads that there are.
var All = []Download{{
	Paper: "salmu",
	About: "cvc-mmu/salmu-512-redistributed, cvc-mmu/salmubench-512-redistributed, or both",
	Names: []string{salmu512.Training.Name(), salmu512.Benchmark.Name()},
	Find:  salmu512.Find,
	Check: reporting(salmu512.Check),
}, {
	Paper: "unslu",
	About: "Fluent Speech Commands, SLURP, ITALIC, Speech-MASSIVE (de-DE, fr-FR), or several",
	Names: namesOf(speechfolder.Kinds),
	Find:  speechfolder.Find,
	Check: reporting(speechfolder.Check),
}, {
	Paper: "remem",
	About: "herbwood27/Remem, gray311/FIUBench, MLLMMU/MLLMU-Bench, or several",
	Names: namesOf(profilefolder.Kinds),
	Find:  profilefolder.Find,
	Check: reporting(profilefolder.Check),
}}

// reporting makes a check of a package's own reports one of any.
func reporting[R Report](check func(context.Context, string, bool) (R, error)) func(context.Context, string, bool) (
	Report, error) {
	return func(ctx context.Context, folder string, deep bool) (Report, error) {
		report, err := check(ctx, folder, deep)
		if err != nil {
			return nil, err // not a nil report, which is one
		}
		return report, nil
	}
}

// namesOf are under which names the store remembers data sets of some kinds.
func namesOf[K interface{ Name() string }](kinds []K) (names []string) {
	for _, kind := range kinds {
		names = append(names, kind.Name())
	}
	return names
}

// Of is the download of a paper's data; ok says whether there is one.
func Of(paper string) (d Download, ok bool) {
	for _, d := range All {
		if d.Paper == paper {
			return d, true
		}
	}
	return d, false
}

// Papers have published data that can be looked through.
func Papers() []string {
	var papers []string
	for _, d := range All {
		papers = append(papers, d.Paper)
	}
	return papers
}
