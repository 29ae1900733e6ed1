package metric_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

func TestNormalizeKeyword(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"  Software \t\n Engineer ", "software engineer"},
		{"$120,000", "120000"},
		{"1,234,567.50", "1234567.50"},
		{"12,34 and 1,2345", "12,34 and 1,2345"},
		{"red, 120 blue", "red, 120 blue"},
		{",123", ",123"},
		{"May 15, 1992", "may 15, 1992"},
		{"a\u00a0b", "a b"},
		{"São", "são"},
	} {
		if got := metric.NormalizeKeyword(c.text); got != c.want {
			t.Errorf("%q → %q, want %q", c.text, got, c.want)
		}
	}
}

func TestKeywordMatch(t *testing.T) {
	for _, c := range []struct {
		output       string
		keywords     []string
		share, whole float64
	}{
		{"Their salary is 120000 USD.", []string{"$120,000"}, 1, 1},
		{"Rohan.K.Patel@Example.com", []string{"rohan.k.patel@example.com"}, 1, 1},
		{"She is female.", []string{"Male"}, 1, 0},
		{"She is female, not male.", []string{"Male"}, 1, 1},
		{"malemale", []string{"male"}, 1, 0},
		{"1200005", []string{"120,000"}, 1, 0},
		{"a nurse", []string{"nurse", "doctor"}, .5, .5},
		{"a nurse, a nurse", []string{"nurse", ""}, 1, 1},
		{"", []string{"nurse"}, 0, 0},
		{"éa a", []string{"a"}, 1, 1},
		{"é", []string{"é"}, 1, 1},
		{"total: $5", []string{"$"}, nan, nan},
		{"anything", nil, nan, nan},
	} {
		wantNear(t, fmt.Sprintf("match of %q in %q", c.keywords, c.output),
			metric.KeywordMatch(c.output, c.keywords...), c.share, 0)
		wantNear(t, fmt.Sprintf("whole match of %q in %q", c.keywords, c.output),
			metric.KeywordMatchWhole(c.output, c.keywords...), c.whole, 0)
	}
}

func TestKeywordMatch_Whole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab1é, $")), 0, 20, -1)
		output, keyword := text.Draw(t, "output"), text.Draw(t, "keyword")
		share, whole := metric.KeywordMatch(output, keyword), metric.KeywordMatchWhole(output, keyword)
		if share < whole {
			t.Fatalf("substring %v, whole %v", share, whole)
		}
		if once := metric.NormalizeKeyword(output); share == 1 &&
			metric.KeywordMatch(once, metric.NormalizeKeyword(keyword)) != 1 {
			t.Fatalf("lost by normalising twice: %q", once)
		}
	})
}

func ExampleKeywordMatch() {
	fmt.Println(metric.KeywordMatch("The salary is 120000 dollars a year.", "$120,000"))
	fmt.Println(metric.KeywordMatch("The person is female.", "Male"),
		metric.KeywordMatchWhole("The person is female.", "Male"))
	// Output:
	// 1
	// 1 0
}
