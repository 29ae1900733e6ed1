package launcher

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHistory_AccessTypes(t *testing.T) {
	var h history
	for _, code := range []string{"%%\na", "%unlearn table a/b", "%%\na", "x.y", "%unlearn help"} {
		h.add(code, map[string]any{"silent": false, "store_history": true})
	}
	h.add("silent", map[string]any{"silent": true})
	h.add("not stored", map[string]any{"store_history": false})
	tests := []struct {
		name    string
		request map[string]any
		want    []int // line numbers
	}{
		{"tail", map[string]any{"hist_access_type": "tail", "n": 2}, []int{4, 5}},
		{"long tail", map[string]any{"hist_access_type": "tail", "n": 100}, []int{1, 2, 3, 4, 5}},
		{"range", map[string]any{"hist_access_type": "range", "session": 1, "start": 2, "stop": 4}, []int{2, 3}},
		{"range of this session", map[string]any{"hist_access_type": "range", "session": 0, "start": 4}, []int{4, 5}},
		{"range of another session", map[string]any{"hist_access_type": "range", "session": 7, "start": 1, "stop": 3},
			nil},
		{"search", map[string]any{"hist_access_type": "search", "pattern": "%unlearn*"}, []int{2, 5}},
		{"search with n", map[string]any{"hist_access_type": "search", "pattern": "*", "n": 2}, []int{4, 5}},
		{"unique search", map[string]any{"hist_access_type": "search", "pattern": "%%*", "unique": true}, []int{3}},
		{"no pattern language", map[string]any{"hist_access_type": "search", "pattern": "x?y"}, []int{4}},
		{"a dot is a dot", map[string]any{"hist_access_type": "search", "pattern": "x.y"}, []int{4}},
		{"brackets are brackets", map[string]any{"hist_access_type": "search", "pattern": "[x].y"}, nil},
	}
	for _, test := range tests {
		want := []any{}
		withOutput := []any{}
		for _, line := range test.want {
			want = append(want, []any{1, line, h.inputs[line-1]})
			withOutput = append(withOutput, []any{1, line, []any{h.inputs[line-1], nil}})
		}
		if diff := cmp.Diff(want, h.reply(published(t, "history_request", test.request))["history"]); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		test.request["output"] = true
		if diff := cmp.Diff(withOutput, h.reply(published(t, "history_request", test.request))["history"]); diff != "" {
			t.Errorf("%s with output: %s", test.name, diff)
		}
	}
}

func TestHistory_ForgetsOldest(t *testing.T) {
	var h history
	for i := range historyLimit + 5 {
		h.add(fmt.Sprint(i), map[string]any{})
	}
	if len(h.inputs) != historyLimit || h.inputs[0] != "5" {
		t.Errorf("%d inputs from %s", len(h.inputs), h.inputs[0])
	}
}

func TestStatus(t *testing.T) {
	n := newNotebook()
	tools := Toolchain{Root: "/lab", GoVersion: "go1.26.8"}
	n.facts = tools.facts("/bin/unlearnlab")
	shown := n.status(nil).show
	for _, want := range []string{"/lab", "go1.26.8", "/bin/unlearnlab", "run: unlearnlab kernel install"} {
		for _, kind := range []string{"text/plain", "text/html"} {
			if !strings.Contains(shown[kind].(string), want) {
				t.Errorf("%s does not say %q", kind, want)
			}
		}
	}
}
