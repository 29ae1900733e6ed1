package verify_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// result holds the content of an artifact in these tests.
type result struct {
	loss, rate, score, rank, label, weights []float64
	id                                      []string
	pixel                                   uint8
	accuracy, seconds, passes               float64
}

func theResult() result {
	r := result{pixel: 100, accuracy: .9}
	for i := range 200 {
		x := float64(i)
		r.loss, r.rate = append(r.loss, 5-x/100), append(r.rate, 3e-5)
		r.score, r.rank, r.label = append(r.score, math.Sin(x)), append(r.rank, x), append(r.label, float64(i/7))
		r.id, r.weights = append(r.id, string(rune('a'+i%26))), append(r.weights, 2*math.Cos(x))
	}
	return r
}

func (r result) made(t *testing.T) *store.Artifact {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	spec := map[string]any{"method": "finetuning", "seed": 1}
	a, err := s.Do(t.Context(), store.Stage{Name: "paper/unlearned", Version: 1}, spec, nil,
		func(_ context.Context, w *store.Work) error { return r.write(w) })
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (r result) write(w *store.Work) error {
	w.Note("accuracy", r.accuracy)
	picture := image.NewRGBA(image.Rect(0, 0, 2, 2))
	picture.Set(1, 1, color.RGBA{r.pixel, 10, 10, 255})
	var drawn bytes.Buffer
	for _, err := range []error{
		safefile.WriteParquet(w.Path(verify.StepsFile),
			[]safefile.Column{{Name: "loss", Values: r.loss}, {Name: "rate", Values: r.rate}}),
		safefile.WriteParquet(w.Path("scores-10x.parquet"), []safefile.Column{{Name: "id", Texts: r.id},
			{Name: "score", Values: r.score}, {Name: "rank", Values: r.rank}, {Name: "label", Values: r.label}}),
		safefile.WriteParquet(w.Path("cost.parquet"), []safefile.Column{{Name: "seconds", Values: []float64{r.seconds}},
			{Name: "passes", Values: []float64{r.passes}}}),
		safefile.WriteTensors(w.Path("model.safetensors"),
			[]safefile.TensorData{safefile.TensorOf("w", []int{len(r.weights)}, r.weights)}, nil),
		png.Encode(&drawn, picture),
		os.WriteFile(w.Path("strip.png"), drawn.Bytes(), 0o644),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// measured holds the bounds of these tests as CSV. They apply to files of any budget.
const measured = `stage,method,device,file,column,whole,share,largest,mean
paper/unlearned,finetuning,go,steps.parquet,loss,false,1,0.001,0.0001
paper/unlearned,finetuning,go,steps.parquet,"loss, first steps",false,1,1e-7,1e-7
paper/unlearned,finetuning,go,scores-#x.parquet,score,false,1,0.001,0.0001
paper/unlearned,finetuning,go,scores-#x.parquet,rank,true,0.01,3,0.01
paper/unlearned,finetuning,go,model.safetensors,weights,false,1,0.001,0.0001
paper/unlearned,finetuning,go,strip.png,pixels,false,1,3,0.3
paper/unlearned,finetuning,go,notes,accuracy,false,1,0.001,0.001
paper/unlearned,delete,go,scores-#x.parquet,score,false,1,9,9
`

func TestCompare_Outcomes(t *testing.T) {
	stored := theResult().made(t)
	bounds := verify.Must(strings.NewReader(measured))
	for name, test := range map[string]struct {
		change func(r *result)
		want   verify.Outcome
		reason string
	}{
		"nothing":   {func(*result) {}, verify.SameBytes, ""},
		"the clock": {func(r *result) { r.seconds = 7 }, verify.SameBytes, ""},
		"the clock and a score": {func(r *result) {
			r.seconds = 7
			r.score[7] += .009
		}, verify.Rounding, ""},
		"what is no clock's": {func(r *result) { r.passes = 7.5 }, verify.Another, "cost.parquet, row 1: passes"},
		"a score":            {func(r *result) { r.score[7] += .009 }, verify.Rounding, ""},
		"a score too far": {func(r *result) { r.score[7] += .011 }, verify.Another,
			"scores-10x.parquet, row 8: score"},
		"all scores, which one alone may": {func(r *result) {
			for i := range r.score {
				r.score[i] += .009
			}
		}, verify.Another, "differ by more than rounding explains"},
		"no number": {func(r *result) { r.score[7] = math.NaN() }, verify.Another, "row 8: score is 0.65"},
		"ten ranks": {func(r *result) {
			for i := range 10 {
				r.rank[i] += 50
			}
		}, verify.Rounding, ""},
		"ten labels that never moved": {func(r *result) {
			for i := range 10 {
				r.label[i]++
			}
		}, verify.Rounding, ""},
		"eleven labels that never moved": {func(r *result) {
			for i := range 11 {
				r.label[i]++
			}
		}, verify.Another, "row 1: label is 0 and 1, one of 11 that differ"},
		"too many ranks": {func(r *result) {
			for i := range 21 {
				r.rank[i]++
			}
		}, verify.Another, "one of 21 that differ"},
		"a name":          {func(r *result) { r.id[3] = "z" }, verify.Another, `row 4: id is "d" and "z"`},
		"a late loss":     {func(r *result) { r.loss[99] *= 1.009 }, verify.Rounding, ""},
		"an early loss":   {func(r *result) { r.loss[1] *= 1 + 1e-5 }, verify.Another, "loss, first steps"},
		"a weight":        {func(r *result) { r.weights[5] += .01 }, verify.Rounding, ""},
		"a weight by far": {func(r *result) { r.weights[5] += .1 }, verify.Another, "weights"},
		"a pixel":         {func(r *result) { r.pixel += 20 }, verify.Rounding, ""},
		"a pixel by far": {func(r *result) { r.pixel += 40 }, verify.Another,
			"strip.png, row 10: pixels is 100 and 140"},
		"a note":        {func(r *result) { r.accuracy += .005 }, verify.Rounding, ""},
		"a note by far": {func(r *result) { r.accuracy += .05 }, verify.Another, "accuracy is 0.9 and 0.95"},
		"a rate in its sixth digit": {func(r *result) { r.rate[0] = 3.00001e-5 }, verify.Another,
			"steps.parquet, step 1: the rate is 3e-05 and 3.00001e-05"},
		"fewer steps": {func(r *result) { r.loss, r.rate = r.loss[:9], r.rate[:9] }, verify.Another,
			"steps.parquet has 200 rows and 9"},
		"a step and its scores": {func(r *result) { r.loss[50]++; r.score[0]++ }, verify.Another,
			"the first step that differs is 51: loss 4.5 and 5.5"},
	} {
		r := theResult()
		test.change(&r)
		c := verify.Compare(stored, r.made(t), bounds)
		if c.Outcome != test.want || !strings.Contains(c.Reason, test.reason) ||
			(c.Reason == "") != (test.reason == "") {
			t.Errorf("%s: %s, %q, want %s, %q", name, c.Outcome, c.Reason, test.want, test.reason)
		}
		plain := test.want == verify.Another && (strings.Contains(c.Reason, "the rate is") ||
			strings.Contains(c.Reason, "has 200 rows") || slices.Contains([]string{"a name", "no number"}, name))
		if c.Plain != plain {
			t.Errorf("%s: plain %v, %q", name, c.Plain, c.Reason)
		}
		still := []string{"nothing", "the clock", "a name", "no number", "fewer steps"}
		if moved := len(c.Differences); (moved > 0) == slices.Contains(still, name) {
			t.Errorf("%s: %d columns have moved", name, moved)
		}
	}
}

// A learning rate that depends on scores may differ once the scores may differ, but not before.
func TestCompare_RateAfterScores(t *testing.T) {
	stored, late, early := theResult().made(t), theResult(), theResult()
	for i := 100; i < len(late.rate); i++ {
		late.rate[i] /= 10
	}
	early.rate[0] = 3.00001e-5
	bounds := verify.Must(strings.NewReader(measured +
		"paper/unlearned,finetuning,go,steps.parquet,rate,false,0.2,0.9,0.1\n"))
	if c := verify.Compare(stored, late.made(t), bounds); c.Outcome != verify.Rounding {
		t.Errorf("late: %s, %q", c.Outcome, c.Reason)
	}
	c := verify.Compare(stored, early.made(t), bounds)
	if c.Outcome != verify.Another ||
		!strings.Contains(c.Reason, "row 1: rate, first steps is 3e-05 and 3.00001e-05") {
		t.Errorf("early: %s, %q", c.Outcome, c.Reason)
	}
}

func TestCompare_Unmeasured(t *testing.T) {
	stored, r := theResult().made(t), theResult()
	r.score[7] += 1e-9
	again := r.made(t)
	c := verify.Compare(stored, again, nil)
	if c.Outcome != verify.Another ||
		!strings.HasSuffix(c.Reason, "what rounding does to paper/unlearned was never measured") {
		t.Errorf(`got %s, %q, want c.Outcome %v, "what rounding does to paper/unlearned was never measured" at `+
			`the end of c.Reason`,
			c.Outcome, c.Reason, verify.Another)
	}
	bounds := c.Measured("paper/unlearned", "delete", "go")
	if c := verify.Compare(stored, again, bounds); c.Outcome != verify.Rounding {
		t.Errorf("measured of another method of the stage: %s, %q", c.Outcome, c.Reason)
	}
	if largest, any := c.Largest(); !any || largest.Column != "score" || largest.Row != 8 || largest.Moved != 1 {
		t.Errorf(`got %v, want any true, Column "score", Row 8, Moved 1`, largest)
	}
}

func TestBounds_RoundTrip(t *testing.T) {
	var written bytes.Buffer
	if err := verify.Must(strings.NewReader(measured)).Write(&written); err != nil {
		t.Fatal(err)
	}
	again := strings.ReplaceAll(written.String(), "1e-07", "1e-7")
	if again != measured {
		t.Errorf("got %s, want %v", again, measured)
	}
	for text, want := range map[string]string{
		"":                                  "the columns are not",
		"stage,method\n":                    "the columns are not",
		measured + "a,b\n":                  "wrong number of fields",
		measured + "a,b,c,d,e,yes,1,1,1\n":  "row 10",
		measured + "a,b,c,d,e,true,1,x,1\n": "row 10",
	} {
		if _, err := verify.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got the error %v, want one with %q", text, err, want)
		}
	}
}
