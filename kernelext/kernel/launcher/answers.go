package launcher

import (
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// Module is the module whose notebooks the kernel serves.
const Module = "github.com/unlearnlab/unlearnlab"

// Version returns the version of the command that this program was built from.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// Language returns the language_info that the kernel and its notebooks record. Both must agree: a front end writes the
// kernel's language_info into the notebook, and a difference would mark a notebook as changed as soon as it is opened.
// So the version is the language's, not the toolchain's.
func Language() map[string]any {
	return map[string]any{"name": "go", "version": languageVersion, "mimetype": "text/x-go", "file_extension": ".go",
		"pygments_lexer": "go", "codemirror_mode": "go", "nbconvert_exporter": "script"}
}

const languageVersion = "1.26"

// kernelInfo returns the content of a kernel_info_reply.
func kernelInfo() map[string]any {
	link := func(text, url string) map[string]string { return map[string]string{"text": text, "url": url} }
	return map[string]any{
		"status":                 "ok",
		"protocol_version":       wire.ProtocolVersion,
		"implementation":         "unlearnlab",
		"implementation_version": Version(),
		"banner": "unlearnlab: machine unlearning in Go. %unlearn help lists the verbs; a " +
			"cell of Go shows its last expression.",
		"debugger":      false,
		"language_info": Language(),
		"help_links": []map[string]string{
			link("unlearnlab", "https://"+Module), link("unlearnlab's packages", "https://pkg.go.dev/"+Module),
			link("Go", "https://go.dev/doc/"), link("GoNB", "https://github.com/janpfeifer/gonb"),
		},
	}
}

// A history holds the code of cells that this kernel has run.
type history struct{ inputs []string }

// historyLimit is the maximum number of recorded cells.
const historyLimit = 10_000

// add records a cell, unless the request is silent or turns off store_history.
func (h *history) add(code string, request map[string]any) {
	silent, _ := request["silent"].(bool)
	store, told := request["store_history"].(bool)
	if silent || told && !store {
		return
	}
	h.inputs = append(h.inputs, code)
	if len(h.inputs) > historyLimit {
		h.inputs = slices.Delete(h.inputs, 0, len(h.inputs)-historyLimit)
	}
}

// A historyRequest is the content of a history_request.
type historyRequest struct {
	Access  string `json:"hist_access_type"`
	Output  bool   `json:"output"`
	N       int    `json:"n"`
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
	Session int    `json:"session"`
	Start   int    `json:"start"`
	Stop    int    `json:"stop"`
}

// reply answers a history_request. Entries are [session, line, input], or [session, line, [input, null]] if outputs are
// requested, because outputs are not recorded. The only session is number 1.
func (h *history) reply(m *wire.Message) map[string]any {
	var q historyRequest
	if m.Decode(&q) != nil {
		return map[string]any{"status": "error", "ename": "bad request", "evalue": "history_request",
			"traceback": []string{}, "history": []any{}}
	}
	entries := []any{}
	for _, i := range h.find(q) {
		var entry any = h.inputs[i]
		if q.Output {
			entry = []any{h.inputs[i], nil}
		}
		entries = append(entries, []any{1, i + 1, entry})
	}
	return map[string]any{"status": "ok", "history": entries}
}

// find returns the indices of the cells that match a request, oldest first.
func (h *history) find(q historyRequest) []int {
	pattern := glob(q.Pattern)
	var found []int
	seen := map[string]bool{}
	for i := len(h.inputs) - 1; i >= 0; i-- {
		switch q.Access {
		case "range":
			if q.Session > 1 || i+1 < q.Start || q.Stop > 0 && i+1 >= q.Stop {
				continue
			}
		case "search":
			if !pattern.MatchString(h.inputs[i]) || q.Unique && seen[h.inputs[i]] {
				continue
			}
		}
		seen[h.inputs[i]] = true
		found = append(found, i)
		if q.Access != "range" && q.N > 0 && len(found) == q.N {
			break
		}
	}
	slices.Reverse(found)
	return found
}

// glob compiles the pattern of a history search: * matches any text, ? any character.
func glob(pattern string) *regexp.Regexp {
	escaped := regexp.QuoteMeta(pattern)
	return regexp.MustCompile(`(?s)^` + strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(escaped) + `$`)
}
