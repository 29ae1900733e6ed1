package report

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// largestPage is what a reader may have to load, in bytes.
const largestPage = 25 << 20

// pageNodes are all nodes of a page, in order.
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

// textOf is the text of a node and of all that it holds.
func textOf(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

// identified are the nodes of a page by their identifiers, each of which is there once.
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

func TestThePageOfWhatShipsShowsEverythingAndLoadsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	t.Parallel()
	out := filepath.Join(t.TempDir(), "deep", "report.html")
	s := studies.NewReader(studies.Flags{Preset: preset.Whole, Home: t.TempDir()}, os.Stderr)
	s.Existing = true
	var stdout strings.Builder
	if err := Write(&stdout, out, paperdata.Names, s); err != nil || stdout.String() != out+"\n" {
		t.Fatalf("it prints %q: %v", stdout.String(), err)
	}
	content := clitest.Read(t, out)
	if len(content) > largestPage {
		t.Errorf("%d bytes, more than %d", len(content), largestPage)
	}
	all := pageNodes(t, content)
	known := identified(t, all)
	wellFormed(t, all, known)
	loadsNothing(t, all)
	for _, of := range papers.All {
		f, err := s.Found(of.Paper)
		if err != nil {
			t.Fatal(err)
		}
		showsStudy(t, of, f, known)
	}
}

// wellFormed checks what readers who do not see the page rely on.
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

// address is what a style may load.
var address = regexp.MustCompile(`(?i)url\(|@import|https?://`)

// loadsNothing checks that all of a page is in its file.
func loadsNothing(t *testing.T, all []*html.Node) {
	t.Helper()
	for _, n := range all {
		for _, a := range n.Attr {
			switch {
			case slices.Contains([]string{"src", "srcset", "data", "poster", "action", "background"}, a.Key):
				if !strings.HasPrefix(a.Val, "data:image/png;base64,") {
					t.Errorf("%s loads %.60s", n.Data, a.Val)
				}
			case a.Key == "href" && !strings.HasPrefix(a.Val, "#"), a.Key == "style" && address.MatchString(a.Val):
				t.Errorf("%s leads to %.60s", n.Data, a.Val)
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

// showsStudy checks that a paper's claims, tables, figures and printed tables are on the page, and where they are from.
func showsStudy(t *testing.T, s *study.Study, f studies.Found, known map[string]*html.Node) {
	t.Helper()
	paper := s.Paper
	section := known[paper]
	if section == nil || !strings.Contains(textOf(section), papers.Of(paper).Printed.Title) ||
		!strings.Contains(textOf(section), f.Preset) {
		t.Fatalf("%s has no section", paper)
	}
	sentences := append(slices.Clone(f.Said), s.About())
	for _, term := range s.Terms() {
		sentences = append(sentences, term.Name+" "+term.About)
	}
	for _, sentence := range sentences {
		if !strings.Contains(textOf(section), sentence) {
			t.Errorf("%s: the page does not say %q", paper, sentence)
		}
	}
	verdicts := map[string]string{} // by the words of the rows
	for row := range known[paper+"-claims-table"].Descendants() {
		if verdict, there := attribute(row, "data-verdict"); there {
			verdicts[textOf(row.FirstChild)] = verdict
		}
	}
	for _, j := range f.Results.Claims() {
		want := study.VerdictOf(j)
		if verdicts[j.Claim] != want && verdicts[j.Claim+j.Finding] != want {
			t.Errorf("%s: the claim %q is shown as %q, it is %s", paper, j.Claim, verdicts[j.Claim], want)
		}
	}
	for _, table := range slices.Concat(s.Tables, s.Further) {
		showsTable(t, f, paper, table.Name, known)
	}
	for _, d := range papers.Of(paper).Figures {
		shown := known[paper+"-figure-"+d.Name]
		if shown == nil || !strings.Contains(textOf(shown), "Not shown: ") && !has(shown, "img") {
			t.Errorf("%s: there is no figure %s", paper, d.Name)
		}
	}
	runs, err := finishedRuns(f.From)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if known["run-"+string(run.Manifest.Key)[:12]] == nil {
			t.Errorf("%s: the run %s is not listed", paper, run.Manifest.Key)
		}
	}
}

func has(within *html.Node, element string) bool {
	for n := range within.Descendants() {
		if n.Type == html.ElementNode && n.Data == element {
			return true
		}
	}
	return false
}

// showsTable checks that a table is as the study lays it out, or that it says why it is not there.
func showsTable(t *testing.T, f studies.Found, paper, name string, known map[string]*html.Node) {
	t.Helper()
	id := paper + "-table-" + name
	section := known[id]
	if section == nil {
		t.Errorf("%s: there is no table %s", paper, name)
		return
	}
	table, err := f.Results.Table(name, false)
	if err != nil {
		if !strings.Contains(textOf(section), "Not shown: "+err.Error()) {
			t.Errorf("%s: the page does not say why table %s is missing", paper, name)
		}
		return
	}
	joined := func(text string) string { return strings.Join(strings.Fields(text), "") }
	here := joined(textOf(known[id+"-here"]))
	for _, row := range table.Rows[:min(len(table.Rows), 3)] {
		for _, cell := range row.Cells {
			if !strings.Contains(here, joined(cell.Text)) {
				t.Errorf("%s: table %s lacks %q", paper, name, cell.Text)
			}
		}
	}
}

func TestAPageSaysWhatIsMissing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.html")
	cmd.Succeed(t, "report", "salmu", "--preset", "smoke", "--home", t.TempDir(), "--out", out)
	all := pageNodes(t, clitest.Read(t, out))
	known := identified(t, all)
	wellFormed(t, all, known)
	loadsNothing(t, all)
	said := textOf(known["salmu"])
	if !strings.Contains(said, "runs; compute them with unlearnlab run salmu --preset smoke") ||
		known["salmu-claims"] != nil || known["salmu-table-5-printed"] == nil || known["unslu"] != nil {
		t.Errorf("the page says %.300s", said)
	}
	cmd.Refused(t, cli.ExitUsage, `there is no preset "tiny"; the presets are smoke, quick`, "report", "--preset",
		"tiny")
	cmd.Refused(t, cli.ExitUsage, `there is no paper "salme"`, "report", "salme")
}

func TestClaimsThatMatterMostAreClaims(t *testing.T) {
	for _, s := range papers.All {
		r, err := s.Open(madeup.Home(t, s), preset.Smoke)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, j := range r.Claims() {
			names = append(names, j.Claim)
		}
		for _, main := range s.Main {
			if !slices.Contains(names, main) {
				t.Errorf("%s claims nothing like %q", s.Paper, main)
			}
		}
		if n := len(s.Main); n < 3 || n > 6 {
			t.Errorf("%s has %d claims that matter most: a reader with a minute reads some", s.Paper, n)
		}
	}
}
