package launcher

import (
	"strings"
	"testing"
)

func TestInput_NotSupported(t *testing.T) {
	tests := []struct{ code, want string }{
		{"%%\nvar name string\nfmt.Scanln(&name)", "fmt.Scanln waits"},
		{"func ask() string {\n\tvar s string\n\tfmt.Scan(&s)\n\treturn s\n}", "fmt.Scan waits"},
		{"%%\nr := bufio.NewReader(os.Stdin)\nr.ReadString('\\n')", "bufio.NewReader(os.Stdin) waits"},
		{"%%\ncommand.Stdin = os.Stdin", ""},
		{"%%\nfmt.Println(\"fmt.Scanln\")", ""},
		{"%%\nfmt.Sscan(\"3\", &x)", ""},
		{"!read x", ""},
		{"%%writefile ask.go\nfunc main() { fmt.Scanln() }", ""},
	}
	for _, test := range tests {
		p := newNotebook().plan(test.code)
		got := ""
		if p.failure != nil {
			got = p.failure.Value
		}
		if (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
			t.Errorf("%q: %q", test.code, got)
		}
	}
}

// A "go get" line runs in the folder in which cells are compiled.
func TestInput_GoGet(t *testing.T) {
	for _, line := range []string{"!go get example.com/m", "! go  get -u ./..."} {
		code := newNotebook().plan("import \"fmt\"\n" + line).code
		if !strings.Contains(code, "GONB_TMP_DIR") || !strings.HasPrefix(code, "import \"fmt\"\n!") {
			t.Errorf("%q becomes %q", line, code)
		}
	}
	for _, code := range []string{"!*go get example.com/m", "!go version", "!echo go get"} {
		if got := newNotebook().plan(code).code; got != code {
			t.Errorf("%q becomes %q", code, got)
		}
	}
}
