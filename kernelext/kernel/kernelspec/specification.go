package kernelspec

import (
	"bytes"
	"encoding/json"
	"path/filepath"
)

// A Style selects how the kernel runs.
type Style struct {
	Plain bool // run gonb without the launcher, and therefore without %unlearn lines
	CI    bool // keep gonb's error texts, for a log
}

// A specification is Jupyter's kernel.json.
type specification struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
	Metadata      map[string]any    `json:"metadata"`
}

// describe returns the kernel.json for programs in bin and the module in root.
func describe(bin, root string, style Style, env map[string]string) ([]byte, error) {
	s := specification{
		Argv: []string{filepath.Join(bin, Name), "kernel", "run", "--kernel", "{connection_file}", "--root",
			root, "--tools", bin},
		DisplayName:   DisplayName,
		Language:      "go",
		InterruptMode: "message",
		Env:           env,
		Metadata:      map[string]any{"debugger": false},
	}
	if style.CI {
		s.Argv = append(s.Argv, "--raw-error")
	}
	if style.Plain {
		s.Argv = []string{filepath.Join(bin, "gonb"), "--kernel", "{connection_file}", "-go_work=" + root}
		if style.CI {
			s.Argv = append(s.Argv, "-raw_error=true")
		}
		env["PATH"] = bin + string(filepath.ListSeparator) + "${PATH}" // gonb looks for goimports there
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(s)
	return b.Bytes(), err
}
