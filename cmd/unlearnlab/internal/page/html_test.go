package page

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// pageNodes returns all nodes of a page, in order.
func pageNodes(t *testing.T, content string) (all []*html.Node) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		all = append(all, n)
	}
	return all
}

func attribute(n *html.Node, name string) (value string, there bool) {
	at := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
	if at < 0 {
		return "", false
	}
	return n.Attr[at].Val, true
}

// textOf returns the text of a node and of the nodes in it.
func textOf(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

// identified returns a page's nodes by identifier, and checks that no identifier occurs twice.
func identified(t *testing.T, all []*html.Node) map[string]*html.Node {
	t.Helper()
	known := map[string]*html.Node{}
	for _, n := range all {
		id, there := attribute(n, "id")
		if known[id] != nil {
			t.Errorf("the identifier %s is there twice", id)
		}
		if there {
			known[id] = n
		}
	}
	return known
}

func has(within *html.Node, element string) bool {
	for n := range within.Descendants() {
		if n.Type == html.ElementNode && n.Data == element {
			return true
		}
	}
	return false
}

// checkLink checks that a link leads to a part of a page, or to a study's paper.
func checkLink(t *testing.T, page string, n *html.Node, known map[string]map[string]*html.Node) {
	t.Helper()
	href, there := attribute(n, "href")
	if !there || strings.HasPrefix(href, repository) || strings.HasPrefix(href, "https://") && slices.ContainsFunc(papers.All, func(s *study.Study) bool {
		return s.Story.Link == href
	}) {
		return
	}
	file, part, _ := strings.Cut(href, "#")
	if file == "" {
		file = page
	}
	part, _, _ = strings.Cut(part, "?")
	if known[file] == nil || part != "" && known[file][part] == nil {
		t.Errorf("%s links to %s, which is missing", page, href)
	}
}

// wellFormed checks the structure that screen readers need.
func wellFormed(t *testing.T, all []*html.Node, known map[string]*html.Node) {
	t.Helper()
	level := 0
	for _, n := range all {
		if n.Type != html.ElementNode {
			continue
		}
		for _, name := range []string{"aria-labelledby", "for", "data-of"} {
			if of, there := attribute(n, name); there && known[of] == nil {
				t.Errorf("%s of %s names %s, which is not there", name, n.Data, of)
			}
		}
		switch n.Data {
		case "img":
			if alt, _ := attribute(n, "alt"); len(alt) < 20 {
				t.Errorf("a picture says of itself %q", alt)
			}
		case "th":
			if scope, _ := attribute(n, "scope"); !slices.Contains([]string{"row", "col", "colgroup"}, scope) ||
				textOf(n) == "" {
				t.Errorf("a header has the scope %q and the words %q", scope, textOf(n))
			}
		case "table":
			if caption := n.FirstChild; caption == nil || caption.Data != "caption" || textOf(caption) == "" {
				t.Error("a table has no caption")
			}
		case "h1", "h2", "h3", "h4", "h5", "h6":
			own := int(n.Data[1] - '0')
			if own > level+1 {
				t.Errorf("the heading %q is of level %d behind one of %d", textOf(n), own, level)
			}
			level = own
		}
	}
}

// loadsNothing checks that a page loads nothing but the given files, embedded pictures aside.
func loadsNothing(t *testing.T, all []*html.Node, files map[string]string) {
	t.Helper()
	for _, n := range all {
		for _, a := range n.Attr {
			switch {
			case slices.Contains([]string{"src", "srcset", "data", "poster", "action", "background"}, a.Key):
				if !strings.HasPrefix(a.Val, "data:image/png;base64,") && files[a.Val] == "" {
					t.Errorf("%s loads %.60s", n.Data, a.Val)
				}
			case a.Key == "style" && address.MatchString(a.Val):
				t.Errorf("the style of %s loads %.60s", n.Data, a.Val)
			}
		}
		if n.Type == html.ElementNode && slices.Contains([]string{"link", "iframe", "object", "embed"}, n.Data) {
			t.Errorf("there is a %s", n.Data)
		}
		if n.Type == html.TextNode && n.Parent != nil && slices.Contains([]string{"style", "script"}, n.Parent.Data) {
			if found := address.FindString(n.Data); found != "" {
				t.Errorf("the %s has %s", n.Parent.Data, found)
			}
		}
	}
}

// Every page leads to the repository, to the command that makes it again, and to judging other models.
func TestWrite_Footer(t *testing.T) {
	cite, err := os.ReadFile("../../../../CITATION.cff")
	if err != nil || !strings.Contains(string(cite), "repository-code: "+repository+"\n") {
		t.Errorf("CITATION.cff has another address than %s: %v", repository, err)
	}
	for name, content := range write(t, []Paper{{Study: papers.Of("salmu"), Preset: "smoke"}}) {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, want := range []string{`href="` + repository + `"`, "make figures", "blob/main/docs/evaluate.md",
			"blob/main/CITATION.cff"} {
			if !strings.Contains(content, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
	}
	if _, err := os.Stat("../../../../docs/evaluate.md"); err != nil {
		t.Error(err)
	}
}

// A claim that was not seen and a contradiction in print differ by their signs, not only by their colours.
func TestSigns_Contradicted(t *testing.T) {
	for _, printed := range []string{study.Contradicted, "inconsistent"} {
		if own, other := signOf(study.NotSeen), signOf(printed); own.Mark == other.Mark {
			t.Errorf("%q and %q have the same sign %s", own.Verdict, other.Verdict, own.Mark)
		}
	}
}
