package page

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/exchange"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// home is a folder for the made-up results that all tests share.
var home string

func TestMain(m *testing.M) {
	var err error
	if home, err = os.MkdirTemp("", "page"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

var (
	fill   sync.Once
	filled []Paper
)

// inputs returns made-up results of all studies. The first study has a guest.
func inputs(t *testing.T) []Paper {
	t.Helper()
	fill.Do(func() {
		madeup.FillAll(home)
		madeup.Guest(t, home, papers.All[0], "mine")
		for _, s := range papers.All {
			results, err := s.Open(home, preset.Smoke)
			if err != nil {
				t.Fatal(err)
			}
			filled = append(filled, Paper{Study: s, Results: results, Preset: preset.Smoke, Figures: s.Figures})
		}
	})
	if len(filled) == 0 {
		t.Fatal("there are no results")
	}
	return filled
}

// write returns the files written by Write, by name.
func write(t *testing.T, all []Paper) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := Write(func(name string, write func(io.Writer) error) error {
		var content strings.Builder
		err := write(&content)
		files[name] = content.String()
		return err
	}, all)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestWrite(t *testing.T) {
	t.Parallel()
	all := inputs(t)
	files := write(t, all)
	known := map[string]map[string]*html.Node{}
	nodes := map[string][]*html.Node{}
	for name, content := range files {
		if strings.HasSuffix(name, ".html") {
			nodes[name] = pageNodes(t, content)
			known[name] = identified(t, nodes[name])
		} else if strings.HasSuffix(name, ".json.gz") {
			known[name] = map[string]*html.Node{}
			hasRecords(t, name, content)
		}
	}
	for name := range known {
		wellFormed(t, nodes[name], known[name])
		loadsNothing(t, nodes[name], files)
		for _, n := range nodes[name] {
			checkLink(t, name, n, known)
		}
	}
	for _, p := range all {
		showsStudy(t, p, known[p.Study.Paper+".html"])
	}
	index := textOf(known["index.html"]["main"])
	for _, p := range all {
		if s := p.Study.Story; !strings.Contains(index, s.Asks) || !strings.Contains(index, s.Quote) {
			t.Errorf("the first page lacks the question or the quotation of %s", p.Study.Paper)
		}
	}
}

// hasRecords checks that a file has records with scores.
func hasRecords(t *testing.T, name, content string) {
	t.Helper()
	packed, err := gzip.NewReader(strings.NewReader(content))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var all []exchange.Record
	if err := json.NewDecoder(packed).Decode(&all); err != nil || len(all) == 0 {
		t.Fatalf("%s: %v, %d records", name, err, len(all))
	}
	for _, r := range all {
		if len(r.Results) == 0 || r.Results[0].Score.Uncertainty.Samples == 0 {
			t.Errorf("%s: the record of %s has no scores", name, r.Model.Name)
		}
	}
}

func TestWriteSingle(t *testing.T) {
	t.Parallel()
	var content strings.Builder
	if err := WriteSingle(&content, inputs(t)); err != nil {
		t.Fatal(err)
	}
	nodes := pageNodes(t, content.String())
	known := identified(t, nodes)
	wellFormed(t, nodes, known)
	loadsNothing(t, nodes, nil)
	for _, n := range nodes {
		checkLink(t, "", n, map[string]map[string]*html.Node{"": known})
	}
}

// A preset without results shows what is printed, and how to compute the rest.
func TestWrite_NoResults(t *testing.T) {
	said := "The preset smoke lacks 9 of 9 runs."
	files := write(t, []Paper{{Study: papers.Of("salmu"), Preset: preset.Smoke, Said: []string{said}}})
	known := identified(t, pageNodes(t, files["salmu.html"]))
	if !strings.Contains(textOf(known["salmu"]), said) || known["salmu-claims"] != nil ||
		known["salmu-table-5-printed"] == nil {
		t.Errorf("the page is %.300s", textOf(known["salmu"]))
	}
}

// Guests can be told from the paper's methods in tables, charts and claims, and do not change counts of claims.
func TestWrite_Guest(t *testing.T) {
	t.Parallel()
	all := inputs(t)[:1]
	known := identified(t, pageNodes(t, write(t, all)["salmu.html"]))
	for _, id := range []string{"salmu-table-5-here", "salmu-table-5-certified", "salmu-claims-table"} {
		guests := 0
		for row := range known[id].Descendants() {
			if class, _ := attribute(row, "class"); class == "guest" {
				guests++
				if text := textOf(row); !strings.HasPrefix(text, "mine (guest)") {
					t.Errorf("%s: the row %q is framed", id, text)
				}
			}
		}
		if guests == 0 {
			t.Errorf("%s: no row is framed", id)
		}
	}
	judged := all[0].Results.Claims()
	paper := slices.DeleteFunc(slices.Clone(judged), func(j certify.Judged) bool { return j.Guest })
	if len(paper) == len(judged) || !slices.Equal(countVerdicts(judged), countVerdicts(paper)) {
		t.Errorf("counts with the guest's %d claims are %v, without them %v", len(judged)-len(paper),
			countVerdicts(judged), countVerdicts(paper))
	}
	made, err := newSite(all, false)
	if err != nil {
		t.Fatal(err)
	}
	var everything []certify.Judged
	for _, p := range all {
		everything = append(everything, p.Study.AnswersOf(p.Results)...)
	}
	tally := study.TallyOf(everything)
	if !reflect.DeepEqual(made.Tally, tally) {
		t.Errorf("got the counts %+v, want %+v", made.Tally, tally)
	}
	said := fmt.Sprintf("of %d claims (about %d effects) did not", tally.Claims, tally.Effects)
	if index := write(t, all)["index.html"]; !strings.Contains(index, said) {
		t.Errorf("the first page does not say %q", said)
	}
	shown := 0
	for _, c := range claimsOf(all[0]).Shown() {
		shown += c.N
	}
	if shown != len(judged) {
		t.Errorf("the filter counts %d claims, want %d", shown, len(judged))
	}
}

func TestSummary(t *testing.T) {
	all := inputs(t)
	var out strings.Builder
	if err := Summary(&out, all); err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		s := p.Study.Story
		for _, want := range []string{s.Asks, s.Quote, "](" + s.Link + ")"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the summary of %s lacks %q", p.Study.Paper, want)
			}
		}
	}
}

func TestNiceStep(t *testing.T) {
	for step, want := range map[float64]float64{.19: .2, .2: .2, .21: .5, 26: 50, 7: 10, 0: 1, math.NaN(): 1} {
		if got := niceStep(step); math.Abs(got-want) > 1e-12 {
			t.Errorf("niceStep(%g) = %g, want %g", step, got, want)
		}
	}
}

// address matches the parts of styles and scripts that could load something.
var address = regexp.MustCompile(`(?i)url\(|@import|https?://`)

// showsStudy checks that a paper's page has its glossary, claims, tables and figures.
func showsStudy(t *testing.T, p Paper, known map[string]*html.Node) {
	t.Helper()
	name := p.Study.Paper
	text := textOf(known[name])
	for _, term := range p.Study.Terms() {
		if !strings.Contains(text, term.Name+" "+term.About) {
			t.Errorf("%s: the glossary lacks %s", name, term.Name)
		}
	}
	verdicts := map[string]string{} // verdict by the text of the row's first cell
	for row := range known[name+"-claims-table"].Descendants() {
		if verdict, there := attribute(row, "data-verdict"); there {
			verdicts[textOf(row.FirstChild)] = verdict
		}
	}
	for _, j := range p.Results.Claims() {
		want := study.VerdictOf(j)
		if verdicts[j.Claim] != want && verdicts[j.Claim+j.Finding] != want {
			t.Errorf("%s: the claim %q is shown as %q, want %s", name, j.Claim, verdicts[j.Claim], want)
		}
	}
	for _, table := range slices.Concat(p.Study.Tables, p.Study.FurtherTables()) {
		showsTable(t, p, table.Name, known)
	}
	for _, d := range p.Figures {
		shown := known[name+"-figure-"+d.Name]
		if shown == nil || !strings.Contains(textOf(shown), "Not shown: ") && !has(shown, "img") {
			t.Errorf("%s: there is no figure %s", name, d.Name)
		}
	}
}

// showsTable checks that the page has the first rows of a table, or names the reason why the table is missing.
func showsTable(t *testing.T, p Paper, name string, known map[string]*html.Node) {
	t.Helper()
	id := p.Study.Paper + "-table-" + name
	section := known[id]
	if section == nil {
		t.Errorf("there is no table %s", id)
		return
	}
	table, err := p.Results.Table(name, false)
	if err != nil {
		if !strings.Contains(textOf(section), "Not shown: "+err.Error()) {
			t.Errorf("the page does not say why %s is missing: %v", id, err)
		}
		return
	}
	joined := func(text string) string { return strings.Join(strings.Fields(text), "") }
	here := joined(textOf(known[id+"-here"]))
	for _, row := range table.Rows[:min(len(table.Rows), 3)] {
		for _, cell := range row.Cells {
			if !strings.Contains(here, joined(cell.Text)) {
				t.Errorf("%s lacks %q", id, cell.Text)
			}
		}
	}
}
