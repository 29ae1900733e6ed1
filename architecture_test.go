// Package unlearnlab holds the tests that look at the whole repository.
package unlearnlab

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/unlearnlab/unlearnlab/"

// listed is what go list says of a package.
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

// within reports whether path is the package or folder root or below it.
func within(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// A rule forbids imports; the first that matches a package's import decides nothing for the others.
type rule struct {
	why       string
	from      func(path string) bool // packages of this module, named from its root
	forbidden func(imported string) bool
	deep      bool // what the imported packages import counts too
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

func rules() []rule {
	gomlxUsers := []string{"device", "nn", "optim", "train", "zoo", "unlearn", "attack", "bench"}
	for i, user := range gomlxUsers {
		gomlxUsers[i] = "unlearnkit/" + user
	}
	plain := []string{"stat", "metric", "seed", "safefile", "store", "audit", "report", "tokenize", "preprocess",
		"study", "certify", "corpus", "spelling", "unlearn/catalogue", "preset", "attack/membership"}
	for i, p := range plain {
		plain[i] = "unlearnkit/" + p
	}
	return []rule{
		{"packages of plain numbers and files stay free of networks and plots", in(plain...),
			func(i string) bool { return gomlx(i) || plot(i) }, true},
		{"stat and metric depend on gonum and the standard library alone", in("unlearnkit/stat", "unlearnkit/metric"),
			func(i string) bool {
				return strings.Contains(strings.SplitN(i, "/", 2)[0], ".") && !within(i, "gonum.org/v1/gonum") &&
					!within(i, module+"unlearnkit/stat") && !within(i, module+"internal/vectorstate")
			}, false},
		{"GoMLX stays behind device, nn, optim, train, zoo, unlearn, attack and bench", outside(gomlxUsers...), gomlx,
			false},
		{"the engine of unlearning knows no kind of model",
			func(path string) bool { return path == "unlearnkit/unlearn" },
			func(i string) bool {
				return within(i, module+"unlearnkit/zoo") || within(i, module+"unlearnkit/unlearn") &&
					!within(i, module+"unlearnkit/unlearn/catalogue") && i != module+"unlearnkit/unlearn"
			}, true},
		{"figures and cells link no networks, so that they build in a moment", in("plots", "kernelext"), gomlx, true},
		{"a cell links the study and the figures that it asks for, and no other", in("kernelext"),
			in(module+"unlearnkit/study", module+"unlearnkit/papers", module+"plots"), true},
		{"gonum/plot is imported by plots alone", outside("plots"), plot, false},
		{"gonb is imported by kernelext alone", outside("kernelext"), gonb, false},
		{"the command-line library is imported by cmd alone", outside("cmd"), cobra, false},
		{"nothing imports cmd or kernelext, but the command the kernel", outside("cmd", "kernelext"),
			in(module+"cmd", module+"kernelext"), true},
		{"nothing imports cmd", outside("cmd"), in(module + "cmd"), true},
		{"the library knows nothing of notebooks and plots", in("unlearnkit"),
			in(module+"plots", module+"kernelext", module+"notebooks"), true},
	}
}

func TestPackagesImportOnlyWhatTheirPlaceAllows(t *testing.T) {
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

func TestStudiesDoNotImportEachOther(t *testing.T) {
	for _, p := range list(t) {
		study, ours := strings.CutPrefix(p.ImportPath, module+"unlearnkit/study/")
		if !ours {
			continue
		}
		own := module + "unlearnkit/study/" + strings.SplitN(study, "/", 2)[0]
		shared := in(module+"unlearnkit/papers/internal/lab", module+"unlearnkit/study")
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, module+"unlearnkit/study/") && !within(imported, own) && !shared(imported) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// The rules are tried on imports that they must catch, so that a rule that matches nothing is noticed.
func TestTheRulesCatchWhatTheyForbid(t *testing.T) {
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
		{"kernelext", module + "cmd/unlearnlab", true},
		{"kernelext/kernel/launcher", module + "plots/papers", true},
		{"kernelext", module + "unlearnkit/study/any", true},
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
