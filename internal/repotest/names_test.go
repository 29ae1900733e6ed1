package repotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// registries lists the folders whose code may name papers: data/papers, for code that only reads printed numbers;
// data/results, with a folder for each paper; unlearnkit/papers, which lists the studies and, in train, the code that
// links networks; and internal/testkit, with made-up results and downloads for tests.
var registries = []string{"data/papers", "data/results", "unlearnkit/papers", "internal/testkit"}

// A permit allows a literal or identifier to name a paper.
type permit struct {
	where string // folder or file
	text  string // part of the literal or identifier
	why   string
}

var permits = []permit{
	{"unlearnkit/unlearn", "SALMUBench", "a method cites the paper that its settings are of, as it cites any other"},
	{"unlearnkit/unlearn", "UnSLU-BENCH", "the same"},
}

// named is an identifier or literal that names a paper.
type named struct {
	paper, text string
	at          token.Position
}

// unspoken returns a text in lower case without the word remember, which contains a paper's short name.
func unspoken(text string) string { return strings.ReplaceAll(strings.ToLower(text), "remember", "") }

// paperIn returns the first paper whose short name occurs in a text, or "".
func paperIn(text string) string {
	i := slices.IndexFunc(papers.Names, func(paper string) bool { return strings.Contains(unspoken(text), paper) })
	if i < 0 {
		return ""
	}
	return papers.Names[i]
}

// namesIn returns the identifiers and literals in a file that name a paper. Comments may name papers.
func namesIn(t *testing.T, path string, source any) (found []named) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		text := ""
		switch n := n.(type) {
		case *ast.Ident:
			text = n.Name
		case *ast.BasicLit:
			text = n.Value
		}
		if paper := paperIn(text); paper != "" {
			found = append(found, named{paper, text, files.Position(n.Pos())})
		}
		return true
	})
	return found
}

// general returns the program's Go files that do not belong to a paper.
func general(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && strings.ContainsAny(entry.Name()[:1], "._"):
			return filepath.SkipDir
		case paperIn(path) != "" || slices.ContainsFunc(registries, func(r string) bool { return within(path, r) }):
			if entry.IsDir() {
				return filepath.SkipDir
			}
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// Only the papers' folders and the registries name papers.
func TestNames_OnlyInFolders(t *testing.T) {
	used := make([]bool, len(permits))
	for _, path := range general(t) {
		for _, n := range namesIn(t, path, nil) {
			permitted := slices.IndexFunc(permits, func(p permit) bool {
				return within(path, p.where) && strings.Contains(n.text, p.text)
			})
			if permitted >= 0 {
				used[permitted] = true
				continue
			}
			t.Errorf("%s names %s: %s; let it ask a registry, or belong to the paper", n.at, n.paper, n.text)
		}
	}
	for i, p := range permits {
		if !used[i] {
			t.Errorf("nothing in %s says %s: take the permit away", p.where, p.text)
		}
	}
	for _, r := range registries {
		if found, err := filepath.Glob(r); err != nil || len(found) == 0 {
			t.Errorf("there is no registry %s", r)
		}
	}
}

// namesIn and general find what they should, and nothing else.
func TestNames_Found(t *testing.T) {
	source := func(line string) string { return fmt.Sprintf("package p\n\n// of salmu\n%s\n", line) }
	for line, want := range map[string]int{
		`var salmuDrawings int`: 1, `import "example.org/bench/concealment"`: 1, "var s = `SALMUBench's data`": 1,
		`func ofUnSLU() {}`: 1, `const c = "remem"`: 1, `func (p *P) Remember() {}`: 0, `var s = "remembered"`: 0,
		`/* unslu */`: 0, `type T struct{ ReMem, Concealment int }`: 2,
	} {
		if found := namesIn(t, "p.go", source(line)); len(found) != want {
			t.Errorf("%s: found %v, want %d", line, found, want)
		}
	}
	if files := general(t); !slices.Contains(files, "plots/figure.go") ||
		slices.Contains(files, "unlearnkit/papers/papers.go") || slices.Contains(files, "unlearnkit/papers/salmu/paper.go") {
		t.Errorf("looked at %v", files)
	}
}
