// Package repotest holds tests on the whole repository.
package repotest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

const module = "github.com/unlearnlab/unlearnlab/"

// listed holds fields that go list prints for a package.
type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Standard   bool
}

func list(t *testing.T) []listed {
	command := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Deps,Standard", "./...")
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, problems.String())
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

// within reports whether path is root or below it.
func within(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// A rule forbids imports. Every import must satisfy all rules.
type rule struct {
	why       string
	from      func(path string) bool // selects the importing packages by their paths in this module
	forbidden func(imported string) bool
	deep      bool // whether the rule covers indirect imports too
}

func in(roots ...string) func(string) bool {
	return func(path string) bool {
		return slices.ContainsFunc(roots, func(root string) bool { return within(path, root) })
	}
}

func outside(roots ...string) func(string) bool {
	inside := in(roots...)
	return func(path string) bool { return !inside(path) }
}

var (
	gomlx = in("github.com/gomlx")
	plot  = in("gonum.org/v1/plot")
	gonb  = in("github.com/janpfeifer/gonb")
	cobra = in("github.com/spf13/cobra")
)

// below returns a function that reports whether a path is root or below it, but not an exception or below one.
func below(root string, exceptions ...string) func(string) bool {
	excepted := in(exceptions...)
	return func(path string) bool { return within(path, root) && !excepted(path) }
}

// helpsTests reports whether a package looks like a helper of tests: by its name, or because it imports testing.
func helpsTests(path string, imports []string) bool {
	last := path[strings.LastIndex(path, "/")+1:]
	return strings.HasSuffix(last, "test") || strings.HasPrefix(last, "madeup") || slices.Contains(imports, "testing")
}

// Helpers of tests are private, so that nobody outside the repository imports them.
func TestHelpers_Private(t *testing.T) {
	for _, p := range list(t) {
		path, ours := strings.CutPrefix(p.ImportPath, module)
		private := strings.Contains("/"+path, "/internal/") || path == "kernelext/kernel/kerneltest" // the command's tests use it
		if ours && helpsTests(path, p.Imports) && !private {
			t.Errorf("%s is a helper of tests: move it to internal/testkit", path)
		}
	}
	for path, want := range map[string]bool{"unlearnkit/papers/salmu/downloadtest": true, "unlearnkit/papers/x/madeup": true,
		"unlearnkit/stat": false} {
		if helpsTests(path, nil) != want {
			t.Errorf("got %v for %s, want %v", !want, path, want)
		}
	}
}

// training reports whether a package of the papers or of the test kit computes with networks.
func training(path string) bool {
	return within(path, "unlearnkit/papers") && (strings.Contains(path, "/train") || strings.Contains(path, "test")) ||
		in("unlearnkit/papers/labs", "unlearnkit/papers/internal/lab", "internal/testkit")(path)
}

func rules() []rule {
	gomlxUsers := in("unlearnkit/device", "unlearnkit/nn", "unlearnkit/optim", "unlearnkit/train", "unlearnkit/zoo",
		"unlearnkit/unlearn", "unlearnkit/attack")
	plain := []string{"stat", "metric", "seed", "safefile", "audit", "report", "tokenize", "preprocess", "study",
		"certify", "compare", "corpus", "unlearn/catalogue", "attack/membership"}
	for i, p := range plain {
		plain[i] = "unlearnkit/" + p
	}
	return []rule{
		{"packages of plain numbers and files stay free of networks and plots", in(plain...),
			func(i string) bool { return gomlx(i) || plot(i) }, true},
		{"a paper is read without networks and plots; its trainings are in train",
			func(path string) bool {
				return within(path, "unlearnkit/papers") && !training(path)
			},
			func(i string) bool { return gomlx(i) || plot(i) }, true},
		{"stat and metric depend on gonum and the standard library alone", in("unlearnkit/stat", "unlearnkit/metric"),
			func(i string) bool {
				return strings.Contains(strings.SplitN(i, "/", 2)[0], ".") && !within(i, "gonum.org/v1/gonum") &&
					!within(i, module+"unlearnkit/stat") && !within(i, module+"internal/vectorstate")
			}, false},
		{"GoMLX stays behind device, nn, optim, train, zoo, unlearn, attack and the trainings of papers",
			func(path string) bool { return !gomlxUsers(path) && !training(path) }, gomlx, false},
		{"the engine of unlearning knows no kind of model",
			func(path string) bool { return path == "unlearnkit/unlearn" },
			func(i string) bool {
				return within(i, module+"unlearnkit/zoo") || within(i, module+"unlearnkit/unlearn") &&
					!within(i, module+"unlearnkit/unlearn/catalogue") && i != module+"unlearnkit/unlearn"
			}, true},
		{"figures and cells link no networks, so that they build in a moment", in("plots", "kernelext"), gomlx, true},
		{"a cell links the study and the figures that it asks for, and no other", in("kernelext"),
			func(i string) bool {
				return in(module+"unlearnkit/papers", module+"plots")(i) ||
					below(module+"unlearnkit/study", module+"unlearnkit/study/progress",
						module+"unlearnkit/study/preset", module+"unlearnkit/study/store")(i)
			}, true},
		{"the engine of studies knows no paper", in("unlearnkit/study"), in(module + "unlearnkit/papers"), true},
		{"plots draws charts and knows no paper and no study", in("plots"),
			in(module+"unlearnkit/papers", module+"unlearnkit/study", module+"data"), true},
		{"charts are data, which need no drawing library", in("unlearnkit/chart"),
			func(i string) bool { return gomlx(i) || plot(i) || in(module+"plots")(i) }, true},
		{"gonum/plot is imported by plots alone", outside("plots"), plot, false},
		{"gonb is imported by kernelext alone", outside("kernelext"), gonb, false},
		{"the command-line library is imported by cmd alone", outside("cmd"), cobra, false},
		{"nothing imports cmd or kernelext, but the command the kernel", outside("cmd", "kernelext"),
			in(module+"cmd", module+"kernelext"), true},
		{"nothing imports cmd", outside("cmd"), in(module + "cmd"), true},
		{"the library knows nothing of notebooks and plots", in("unlearnkit"),
			in(module+"plots", module+"kernelext", module+"notebooks"), true},
		{"small internal packages import nothing above them", below("internal", "internal/testkit"),
			in(module+"unlearnkit", module+"plots", module+"kernelext"), true},
		{"helpers of tests are imported by tests alone",
			func(path string) bool {
				return !strings.HasSuffix(path, "test") && !in("internal/testkit", "cmd/unlearnlab/internal/clitest")(path)
			},
			in(module + "internal/testkit"), false},
	}
}

func TestImports_Allowed(t *testing.T) {
	packages := list(t)
	seen := 0
	for _, p := range packages {
		path, ours := strings.CutPrefix(p.ImportPath, module)
		if !ours {
			continue
		}
		seen++
		for _, r := range rules() {
			if !r.from(path) {
				continue
			}
			imports := p.Imports
			if r.deep {
				imports = p.Deps
			}
			for _, imported := range imports {
				if r.forbidden(imported) {
					t.Errorf("%s imports %s: %s", path, imported, r.why)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("go list names no package of this module")
	}
}

func TestPapers_ImportsBetween(t *testing.T) {
	for _, p := range list(t) {
		paper, _, _ := strings.Cut(strings.TrimPrefix(p.ImportPath, module+"unlearnkit/papers/"), "/")
		if !slices.Contains(papers.Names, paper) {
			continue
		}
		others := below(module+"unlearnkit/papers", module+"unlearnkit/papers/"+paper, module+"unlearnkit/papers/internal")
		for _, imported := range p.Imports {
			if others(imported) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// Each rule is tested on imports that it must forbid, so that a rule that matches nothing is noticed.
func TestRules_Catch(t *testing.T) {
	tests := []struct {
		from, imported string
		forbidden      bool
	}{
		{"unlearnkit/stat", "gonum.org/v1/gonum/mathext", false},
		{"unlearnkit/stat", "math/rand/v2", false},
		{"unlearnkit/stat", "github.com/google/go-cmp/cmp", true},
		{"unlearnkit/stat", module + "internal/vectorstate", false},
		{"unlearnkit/metric", module + "unlearnkit/stat", false},
		{"unlearnkit/metric", module + "unlearnkit/seed", true},
		{"unlearnkit/report", "gonum.org/v1/plot", true},
		{"unlearnkit/audit", "github.com/gomlx/gomlx/pkg/core/graph", true},
		{"unlearnkit/zoo/clip", "github.com/gomlx/gomlx/pkg/core/graph", false},
		{"unlearnkit/unlearn/catalogue", "github.com/gomlx/gomlx/pkg/core/graph", true},
		{"unlearnkit/unlearn/catalogue", module + "internal/spelling", false},
		{"unlearnkit/attack/membership", "github.com/gomlx/gomlx/pkg/core/graph", true},
		{"unlearnkit/unlearn/contrastive", module + "unlearnkit/zoo/clip", false},
		{"unlearnkit/unlearn", module + "unlearnkit/zoo/clip", true},
		{"unlearnkit/unlearn", module + "unlearnkit/unlearn/denoising", true},
		{"unlearnkit/unlearn", module + "unlearnkit/unlearn/catalogue", false},
		{"plots", "gonum.org/v1/plot/vg", false},
		{"plots", "github.com/gomlx/gomlx", true},
		{"unlearnkit/study", "github.com/spf13/cobra", true},
		{"cmd/unlearnlab", "github.com/spf13/cobra", false},
		{"cmd/unlearnlab", module + "kernelext/kernel/launcher", false},
		{"plots", module + "cmd/unlearnlab", true},
		{"plots", module + "unlearnkit/papers/salmu", true},
		{"plots", module + "unlearnkit/study", true},
		{"plots", module + "unlearnkit/chart", false},
		{"unlearnkit/chart", "gonum.org/v1/plot/vg", true},
		{"unlearnkit/chart", "gonum.org/v1/gonum/dsp/fourier", false},
		{"kernelext", module + "cmd/unlearnlab", true},
		{"kernelext/kernel/launcher", module + "unlearnkit/papers", true},
		{"kernelext", module + "unlearnkit/study", true},
		{"kernelext", module + "unlearnkit/study/progress", false},
		{"unlearnkit/papers/salmu", "github.com/gomlx/gomlx", true},
		{"unlearnkit/papers/salmu/train", "github.com/gomlx/gomlx", false},
		{"unlearnkit/study", module + "unlearnkit/papers/salmu", true},
		{"internal/spelling", module + "unlearnkit/stat", true},
		{"unlearnkit/zoo/clip", module + "internal/testkit/zootest", true},
		{"unlearnkit/zoo/zootest", module + "internal/testkit/zootest", false},
		{"kernelext", module + "unlearnkit/report", false},
		{"kernelext/kernel/launcher", "github.com/janpfeifer/gonb/gonbui", false},
		{"unlearnkit/seed", module + "plots", true},
	}
	for _, test := range tests {
		caught := slices.ContainsFunc(rules(), func(r rule) bool {
			return r.from(test.from) && r.forbidden(test.imported)
		})
		if caught != test.forbidden {
			t.Errorf("%s importing %s: caught %v, want %v", test.from, test.imported, caught, test.forbidden)
		}
	}
}
