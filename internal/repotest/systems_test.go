package repotest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
)

// withoutCgo maps the operating systems for which all packages compile without cgo to a processor and GOEXPERIMENT.
// Type-checking a package and its imports takes a twentieth of the time of compiling them.
var withoutCgo = map[string]struct{ processor, experiment string }{
	"linux": {"amd64", "simd"}, "darwin": {"arm64", ""}, "windows": {"amd64", ""},
}

// mistakes returns the errors that the compiler would report for packages on a system without cgo.
func mistakes(t *testing.T, system, pattern string, overlay map[string][]byte) (all []string) {
	t.Helper()
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedModule
	found, err := packages.Load(&packages.Config{Mode: mode, Overlay: overlay, Env: append(os.Environ(),
		"CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT="+withoutCgo[system].experiment, "GOOS="+system,
		"GOARCH="+withoutCgo[system].processor)}, pattern)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	packages.Visit(found, nil, func(p *packages.Package) {
		checked++
		for _, mistake := range p.Errors {
			all = append(all, mistake.Error())
		}
	})
	if checked < 20 {
		t.Errorf("%s: %d packages were checked", system, checked)
	}
	return all
}

// All packages compile without cgo on all supported systems.
func TestSystems_Compile(t *testing.T) {
	integration.Test(t, "type-checks everything for three systems")
	for system := range withoutCgo {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			if found := mistakes(t, system, "./...", nil); len(found) > 0 {
				t.Errorf("got %s, want no found", strings.Join(found, "\n"))
			}
		})
	}
}

func TestSystems_FindsMistake(t *testing.T) {
	integration.Test(t, "type-checks packages for three systems")
	file, err := filepath.Abs("unlearnkit/study/store/mistake_windows.go")
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string][]byte{file: []byte("package store\n\nvar _ int = placeOf(\"\", \"\")\n")}
	for system, want := range map[string]int{"linux": 0, "darwin": 0, "windows": 1} {
		if found := mistakes(t, system, "./unlearnkit/study/store", overlay); len(found) != want {
			t.Errorf("%s: got %q, want length %v", system, found, want)
		}
	}
}
