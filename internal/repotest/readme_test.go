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

// docs/README.md lists every document.
func TestDocuments_Index(t *testing.T) {
	index := text(t, "docs/README.md")
	documents, err := filepath.Glob("docs/*.md")
	if err != nil || len(documents) < 2 {
		t.Fatalf("got %v, %v, want the documents", documents, err)
	}
	for _, document := range documents {
		if name := filepath.Base(document); name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not list %s", name)
		}
	}
}

// What is cited is the newest version of the changes.
func TestCitation_Version(t *testing.T) {
	citation := text(t, "CITATION.cff")
	version := regexp.MustCompile(`(?m)^version: (\S+)$`).FindStringSubmatch(citation)
	date := regexp.MustCompile(`(?m)^date-released: (\d{4}-\d\d-\d\d)$`).FindStringSubmatch(citation)
	if version == nil || date == nil {
		t.Fatal("CITATION.cff has no version or no date-released")
	}
	want := "## " + version[1] + ", " + date[1]
	if got := regexp.MustCompile(`(?m)^## .*$`).FindString(text(t, "CHANGELOG.md")); got != want {
		t.Errorf("the first heading of CHANGELOG.md is %q, want %q as in CITATION.cff", got, want)
	}
}
