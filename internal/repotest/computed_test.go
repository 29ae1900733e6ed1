package repotest

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of documents that tests compute")

// shows checks that a document has, between two marks, the table computed by the named test. With -update, it writes
// the table.
func shows(t *testing.T, document, test, table string) {
	t.Helper()
	begins := fmt.Sprintf("<!-- what was measured; go test -run %s -update ./internal/repotest writes it -->\n", test)
	const ends = "<!-- end -->\n"
	content, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(content), begins)
	shown, after, ended := strings.Cut(rest, ends)
	switch {
	case !begun || !ended:
		t.Fatalf("%s has no place for the table of the test %s", document, test)
	case shown == table:
		return
	case !*update:
		t.Fatalf("%s shows another table than was measured; go test -run %s -update ./internal/repotest writes it", document, test)
	}
	if err := os.WriteFile(document, []byte(before+begins+table+ends+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
