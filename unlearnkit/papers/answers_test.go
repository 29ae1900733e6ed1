package papers_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
)

// The rules of the experiments list the claims that a second preset answers, alone or together with the first. The
// answers on the page must follow these lists.
func TestAnswers_FollowRules(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: judges all claims")
	}
	content, err := os.ReadFile("../../docs/experiments.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := claimLists(string(content))
	for _, s := range papers.All {
		if s.Answers == nil {
			continue
		}
		answered := map[string][]string{}
		for _, j := range summaryOf(t, s).answers {
			_, where, _ := strings.Cut(j.Caveat, "judged in the ")
			var presets []string
			for _, found := range regexp.MustCompile(`\bof (\w+)(:|;|$)`).FindAllStringSubmatch(where, -1) {
				presets = append(presets, found[1])
			}
			if len(presets) > 0 {
				by := s.Paper + " by " + strings.Join(presets, " and ")
				answered[by] = append(answered[by], j.Claim)
			}
		}
		if len(answered) == 0 {
			t.Errorf("no claim of %s is answered by another preset than %s", s.Paper, mainPreset(s))
		}
		for by := range maps.Keys(listed) {
			if strings.HasPrefix(by, s.Paper+" ") && answered[by] == nil {
				t.Errorf("the rules list claims of %s, but none is answered so", by)
			}
		}
		for by, claims := range answered {
			slices.Sort(claims)
			if diff := cmp.Diff(listed[by], claims); diff != "" {
				t.Errorf("claims of %s (-docs/experiments.md +answers):\n%s", by, diff)
			}
		}
	}
}

// claimLists returns the claims in lists under headings such as "Claims of `remem` by `mini` and `refusing`". The keys
// are the headings without the first words and quotes.
func claimLists(document string) map[string][]string {
	lists, heading := map[string][]string{}, ""
	for line := range strings.Lines(document) {
		line = strings.TrimRight(line, "\n")
		title, isClaims := strings.CutPrefix(line, "#### Claims of ")
		item, isItem := strings.CutPrefix(line, "- ")
		more, continues := strings.CutPrefix(line, "  ")
		all := lists[heading]
		switch {
		case isClaims:
			heading = strings.ReplaceAll(title, "`", "")
		case strings.HasPrefix(line, "#"):
			heading = ""
		case heading == "":
		case isItem:
			lists[heading] = append(all, item)
		case continues && len(all) > 0:
			all[len(all)-1] += " " + more
		}
	}
	for _, claims := range lists {
		slices.Sort(claims)
	}
	return lists
}
