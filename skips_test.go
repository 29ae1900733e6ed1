package unlearnlab

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reasons are the words with which a test may be skipped. None of them can hide that something fails: they name what
// the machine lacks, or what the person at it has to ask for.
var reasons = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`needs `,                                // a tool, a device, a system or a processor
	`set UNLEARNLAB_SLOW=1 `,                // make slow
	`set UNLEARNLAB_REFERENCE to a folder `, // make slow REFERENCE=FOLDER
	`set UNLEARNLAB_PILOT to a folder `,     // rates of a preset are chosen by hand
	`-short: `,                              // go test -short
	`runs in a process of other tests$`,
	`outside of the domain$`, // what a fuzzer has drawn
	// Words of packages that change at present.
	`part of the test with kills$`, `no mount namespace here: `, `digests are kept of the pure Go device$`,
	`no digests of `, `no tuning ships yet`,
}, "|") + `)`)

// skip is a call by which a test ends without having tested anything.
type skip struct {
	at     token.Position
	reason string
}

// skipsOf lists the skips of a file; a reason that is no literal is empty.
func skipsOf(files *token.FileSet, file *ast.File) []skip {
	var all []skip
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, method.Sel.Name) {
			return true
		}
		found := skip{at: files.Position(call.Pos())}
		if len(call.Args) > 0 {
			argument := call.Args[0]
			for { // the first part of a sum of strings
				sum, ok := argument.(*ast.BinaryExpr)
				if !ok {
					break
				}
				argument = sum.X
			}
			if literal, ok := argument.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				found.reason, _ = strconv.Unquote(literal.Value)
			}
		}
		all = append(all, found)
		return true
	})
	return all
}

func TestTestsAreSkippedForKnownReasonsAlone(t *testing.T) {
	files, seen := token.NewFileSet(), 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != ".":
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, s := range skipsOf(files, file) {
			seen++
			if !reasons.MatchString(s.reason) {
				t.Errorf("%s skips because of %q, which is no known reason", s.at, s.reason)
			}
		}
		return nil
	})
	if err != nil || seen < 40 {
		t.Errorf("%d skips seen: %v", seen, err)
	}
}

func TestReasonsAreReadFromTheSource(t *testing.T) {
	const source = `package a

func f(t *testing.T, err error) {
	t.Skip("needs root")
	t.Skipf("set UNLEARNLAB_SLOW=1 to run it: %s", "long")
	t.Skip(err)
	t.SkipNow()
	t.Skip("nothing was read")
}`
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "a.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	var known []bool
	for _, s := range skipsOf(files, file) {
		known = append(known, reasons.MatchString(s.reason))
	}
	if want := []bool{true, true, false, false, false}; !slices.Equal(known, want) {
		t.Errorf("%v, want %v", known, want)
	}
}
