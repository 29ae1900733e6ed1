package repotest

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The README and the documents name files that exist.
func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil || len(documents) == 0 {
		t.Fatal(documents, err)
	}
	for _, document := range append(documents, "README.md", "CONTRIBUTING.md") {
		content, err := os.ReadFile(document)
		if err != nil {
			t.Error(err)
			continue
		}
		// Go's generics read like links.
		prose := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(string(content), "")
		for _, link := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(prose, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), link[1])); err != nil {
				t.Errorf("%s links to %s: %v", document, link[1], err)
			}
		}
	}
}
