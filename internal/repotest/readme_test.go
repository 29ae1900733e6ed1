package repotest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// linked matches a link to a file or heading in this repository.
var linked = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]+))?\)`)

// anchors returns the anchors that GitHub makes from a document's headings.
func anchors(document string) map[string]bool {
	all := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(document, -1) {
		kept := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		all[strings.ReplaceAll(kept, " ", "-")] = true
	}
	return all
}

func text(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// The README and the documents link only to existing files and headings.
func TestLinks(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil || len(documents) == 0 {
		t.Fatalf("got %v, %v, want length other than 0 of documents", documents, err)
	}
	for _, document := range append(documents, "README.md", "CONTRIBUTING.md") {
		content := text(t, document)
		// Calls of generic functions in code blocks look like links.
		prose := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(content, "")
		for _, link := range linked.FindAllStringSubmatch(prose, -1) {
			file, anchor := filepath.Join(filepath.Dir(document), link[1]), link[2]
			if link[1] == "" {
				file = document
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", document, link[1], err)
			} else if anchor != "" && !anchors(text(t, file))[anchor] {
				t.Errorf("%s links to %s, which has no heading %s", document, file, anchor)
			}
		}
	}
}
