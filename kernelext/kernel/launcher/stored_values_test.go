package launcher

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/internal/valuestore"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestKept_ListAndDrop(t *testing.T) {
	home := t.TempDir()
	t.Setenv(store.HomeVariable, home)
	n := newNotebook()
	says := func(args ...string) string {
		a := n.keptValues(args)
		if a.failure != nil {
			return "failed: " + a.failure.Value
		}
		return a.show["text/plain"].(string)
	}
	if got := says(); !strings.Contains(got, "nothing is kept") {
		t.Error(got)
	}
	for _, name := range []string{"scores", "curves"} {
		v := valuestore.Value{Name: name, Type: "[]float64", Made: time.Now(), Took: 34 * time.Second}
		err := valuestore.Write(valuestore.Folder(home), v, 1)
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := says(); !strings.Contains(got, "scores") || !strings.Contains(got, "34s") {
		t.Error(got)
	}
	if html := n.keptValues(nil).show["text/html"].(string); !strings.Contains(html, "curves") {
		t.Error(html)
	}
	if got := completeKept(Offers{}, []string{"drop"}); !slices.Contains(got, "scores") ||
		!slices.Contains(got, "all") {
		t.Error(got)
	}
	for _, step := range []struct{ args, want string }{
		{"drop score", `failed: nothing is kept as "score"; did you mean "scores"?`}, {"drop scores", "1 dropped"},
		{"away", "failed: %unlearn kept lists"}, {"drop all", "1 dropped"}, {"drop all", "0 dropped"},
	} {
		if got := says(strings.Fields(step.args)...); !strings.HasPrefix(got, step.want) {
			t.Errorf("%s: %s", step.args, got)
		}
	}
}

func TestKept_TypeNames(t *testing.T) {
	for long, want := range map[string]string{"[]float64": "[]float64", "map[string]int": "map[string]int",
		"[]main.curve struct{X float64}": "[]main.curve", "example.org/a/b.Scores []float64": "b.Scores",
		"map[string]*example.org/a/b.Row struct{N int}": "map[string]*b.Row", "struct{N int}": "struct"} {
		if got := shortType(long); got != want {
			t.Errorf("%s is shown as %s", long, got)
		}
	}
}
