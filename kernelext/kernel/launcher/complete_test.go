package launcher

import "testing"

func TestIsComplete(t *testing.T) {
	tests := []struct{ code, status, indent string }{
		{"", cellComplete, ""},
		{"%%\nfmt.Println(1)", cellComplete, ""},
		{"%%", cellComplete, ""},
		{"%main --flag=1\nx := 3\n_ = x", cellComplete, ""},
		{"func f() int { return 1 }", cellComplete, ""},
		{"import \"fmt\"\n\nvar x = 1", cellComplete, ""},
		{"type T struct{ A int }\nfunc (T) M() {}", cellComplete, ""},
		{"%unlearn table unslu 1", cellComplete, ""},
		{"!ls -l", cellComplete, ""},
		{"//gonb:%%\nfmt.Println()", cellComplete, ""},
		{"%%\n// only a comment", cellComplete, ""},

		{"func f() {", cellIncomplete, "\t"},
		{"%%\nfor i := range 3 {\n\tif i > 1 {", cellIncomplete, "\t\t"},
		{"%%\nx := []int{\n1,", cellIncomplete, "\t"},
		{"%%\ns := `raw", cellIncomplete, ""},
		{"%%\n/* comment", cellIncomplete, ""},
		{"%%\nx := 1 +", cellIncomplete, ""},
		{"var x =", cellIncomplete, ""},
		{"!echo a \\", cellIncomplete, ""},
		{"%%bash\necho a", cellIncomplete, ""},
		{"%%bash\necho a\n", cellComplete, ""},
		{"%%writefile a.txt\n{", cellIncomplete, ""},

		{"x := 3", cellInvalid, ""},
		{"%%\n}", cellInvalid, ""},
		{"%%\n)", cellInvalid, ""},
		{"func f() }", cellInvalid, ""},
		{"%%\nif {", cellIncomplete, "\t"},
		{"%%\nvar 3 = x\ny := 1", cellInvalid, ""},
	}
	for _, test := range tests {
		status, indent := isComplete(test.code)
		if status != test.status || indent != test.indent {
			t.Errorf("%q: %s, indent %q; want %s, %q", test.code, status, indent, test.status, test.indent)
		}
	}
}

func FuzzIsComplete(f *testing.F) {
	f.Add("%%\nfmt.Println(`")
	f.Add("func f() {\n%unlearn help \\")
	f.Fuzz(func(t *testing.T, code string) {
		status, indent := isComplete(code)
		if status != cellIncomplete && indent != "" || status != cellComplete && status != cellIncomplete &&
			status != cellInvalid {
			t.Errorf("%q: %q, indent %q", code, status, indent)
		}
	})
}
