package exposure_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/languagetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/exposure"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

func opened(t testing.TB, dir, adapter string) *language.Model {
	t.Helper()
	m, err := language.Open(devicetest.Open(t), dir, adapter)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ranker(t testing.TB, m *language.Model) *exposure.Ranker {
	r := exposure.New(m)
	t.Cleanup(r.Close)
	return r
}

// testdata/gen_exposure.py computes the numbers with transformers, in double precision.
func TestRank_EqualsTransformers(t *testing.T) {
	content, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var expected struct {
		Candidates []string
		Cases      []struct {
			Model, Adapter, Prefix string
			Image                  bool
			LogProbs               [][]float64 `json:"log_probs"`
			MinK                   []float64   `json:"min_k"`
			Perplexities           []float64
			Ranks                  []int
		}
	}
	if err := json.Unmarshal(content, &expected); err != nil || len(expected.Cases) < 5 {
		t.Fatal(err)
	}
	for _, c := range expected.Cases {
		adapter := ""
		if c.Adapter != "" {
			adapter = languagetest.Adapter(t)
		}
		m := opened(t, languagetest.Folder(t, c.Model), adapter)
		item := exposure.Item{Prefix: c.Prefix, Candidates: expected.Candidates, Truth: "cook"}
		if c.Image {
			if item.Image, err = m.Pixels("testdata/image.png"); err != nil {
				t.Fatal(err)
			}
		}
		got, err := ranker(t, m).Rank(t.Context(), item)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Candidates) != len(expected.Candidates) || len(got.Warnings) > 1 || // a warning about "nurse"
			!strings.Contains(strings.Join(got.Warnings, ""), "the beginning of another one") {
			t.Fatalf(`got %+v, want %v Candidates, at most 1 Warnings, "the beginning of another one" in it`,
				got, len(expected.Candidates))
		}
		for _, candidate := range got.Candidates {
			i := slices.Index(expected.Candidates, candidate.Text)
			want, logProbs := c.Perplexities[i], c.LogProbs[i]
			if math.Abs(candidate.Perplexity-want) > 2e-5*want || candidate.Rank != c.Ranks[i] ||
				candidate.Tokens != len(logProbs) ||
				math.Abs(candidate.InversePerplexity-1/want) > 2e-5/want ||
				math.Abs(candidate.MinK-c.MinK[i]) > 2e-5*c.MinK[i] {
				t.Errorf("%s%s %q: %+v, transformers gives the perplexity %.7g of rank %d", c.Model, c.Adapter,
					c.Prefix, candidate, want, c.Ranks[i])
			}
		}
		place := c.Ranks[slices.Index(expected.Candidates, "cook")]
		if got.Truth.Rank != place || got.Truth.Exposure != metric.Exposure(place, 6) || got.Truth.Ties != 0 ||
			got.Truth.Chance != float64(place)/6 || got.Truth.ChanceExposure != 50 {
			t.Errorf("%+v, want rank %d", got.Truth, place)
		}
	}
}

// filled returns the folder of a model whose output layer has one value everywhere. With 0, the model finds all tokens
// equally likely.
func filled(t *testing.T, value float32) string {
	t.Helper()
	dir := languagetest.Folder(t, "llava")
	path := filepath.Join(dir, "model.safetensors")
	file, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []safefile.TensorData
	for _, name := range file.Names() {
		info, _ := file.Tensor(name)
		values := make([]float32, info.Elements())
		if err := file.Float32(name, values); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "lm_head.weight") {
			for i := range values {
				values[i] = value
			}
		}
		all = append(all, safefile.TensorOf(name, info.Shape, values))
	}
	if err := safefile.WriteTensors(path+".new", all, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRank_AllTied(t *testing.T) {
	item := exposure.Item{Prefix: "The job is", Candidates: []string{"baker", "bak", "cook"}, Truth: "bak"}
	got, err := ranker(t, opened(t, filled(t, 0), "")).Rank(t.Context(), item)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Candidates {
		if math.Abs(c.Perplexity-59) > 1e-3 { // the size of the vocabulary
			t.Errorf("got %+v, want Perplexity near 59", c)
		}
	}
	if truth := got.Truth; truth.Rank != 1 || truth.Ties != 2 || truth.Exposure != 100 || truth.ChanceExposure != 100 ||
		truth.Chance != 1 {
		t.Errorf("got %+v, want Rank 1, Ties 2, Exposure 100, ChanceExposure 100, Chance 1", truth)
	}
}

func TestRank_NaN(t *testing.T) {
	m := opened(t, filled(t, float32(math.NaN())), "")
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "NaN") {
		t.Errorf(`got %q, want length 1, "NaN" in [0]`, m.Warnings)
	}
	_, err := ranker(t, m).Rank(t.Context(), exposure.Item{Prefix: "The job is", Candidates: []string{"cook", "x"}})
	if err == nil || !strings.Contains(err.Error(), "look for NaN in the model's tensors") {
		t.Error(err)
	}
}

// Candidates are a set, and one may be the beginning of another.
func TestRank_SharedPrefixes(t *testing.T) {
	r := ranker(t, opened(t, languagetest.Folder(t, "llama"), ""))
	rank := func(item exposure.Item) *exposure.Ranking {
		t.Helper()
		got, err := r.Rank(t.Context(), item)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	once := rank(exposure.Item{Prefix: "The job is", Candidates: []string{"nurse", "nurse practitioner", "cook"}})
	if once.Truth != nil || len(once.Candidates) != 3 {
		t.Errorf("got %+v, want Truth nil, 3 Candidates", once)
	}
	twice := rank(exposure.Item{Prefix: "The job is  ",
		Candidates: []string{"nurse", " cook ", "nurse practitioner", "nurse", "cook", "nurse"}, Truth: "cook "})
	if len(twice.Warnings) != 2 || !strings.Contains(twice.Warnings[0], "named more than once, and ranked once: 2") ||
		!strings.Contains(twice.Warnings[1], `costs nothing, such as "nurse"`) {
		t.Errorf(`got %q, want length 2, "named more than once, and ranked once: 2" in [0], %q in [1]`,
			twice.Warnings, `costs nothing, such as "nurse"`)
	}
	for i, c := range twice.Candidates {
		c.True = false
		if once := once.Candidates[i]; c.Text != once.Text || c.Tokens != once.Tokens {
			t.Errorf("%+v, want %+v", c, once)
		}
	}
	alone := rank(exposure.Item{Prefix: "The job is", Candidates: []string{"cook"}, Truth: "cook"})
	text, err := json.Marshal(alone)
	if err != nil || !strings.Contains(string(text), `"exposure":null`) || alone.Truth.Rank != 1 {
		t.Errorf("got %s, %v, want %q in it, alone.Truth.Rank 1", text, err, `"exposure":null`)
	}
	if note := alone.Table().Note; !strings.Contains(note, "nothing to rank it against") {
		t.Errorf(`got %v, want "nothing to rank it against" in it`, note)
	}
	straddling := rank(exposure.Item{Prefix: "The job:", Candidates: []string{"cook", "?"}})
	if len(straddling.Warnings) != 1 || !strings.Contains(straddling.Warnings[0], "the first token of 2 candidates") {
		t.Errorf(`got %q, want length 1, "the first token of 2 candidates" in [0]`, straddling.Warnings)
	}
}

func TestRank_BadItems(t *testing.T) {
	sees, blind := opened(t, languagetest.Folder(t, "llava"), ""), opened(t, languagetest.Folder(t, "llama"), "")
	rankers := map[bool]*exposure.Ranker{true: ranker(t, sees), false: ranker(t, blind)}
	pixels := make([]float32, 300)
	for _, test := range []struct {
		sees bool
		item exposure.Item
		says string
	}{
		{false, exposure.Item{Prefix: "a"}, "there are no candidates"},
		{false, exposure.Item{Prefix: "a", Candidates: []string{"b", " "}}, "candidate 2 is empty"},
		{false, exposure.Item{Prefix: "a", Candidates: []string{"b"}, Truth: "c"},
			`the truth "c" is not among the 1 candidates`},
		{false, exposure.Item{Prefix: strings.Repeat("z", 60), Candidates: []string{"b", "bbbb"}},
			`candidate "bbbb" after "zzz`},
		{false, exposure.Item{Prefix: "a", Candidates: []string{"b"}, Image: pixels}, "the model sees no images"},
		{true, exposure.Item{Prefix: "<image> a", Candidates: []string{"b"}}, "a placeholder and an image, or neither"},
		{true, exposure.Item{Prefix: "<image><image>", Candidates: []string{"b"}, Image: pixels}, "2 times"},
		{true, exposure.Item{Prefix: "a", Candidates: []string{"b"}, Image: pixels[1:]}, "299 values"},
	} {
		if _, err := rankers[test.sees].Rank(t.Context(), test.item); err == nil ||
			!strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
}
