package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// gaussian returns rows of independent normal numbers. To each row it adds shared times a random vector that is the
// same for all rows.
func gaussian(seed uint64, rows, dim int, shared float64) Matrix {
	r := rand.New(rand.NewPCG(seed, 1))
	common := make([]float64, dim)
	for k := range common {
		common[k] = shared * r.NormFloat64()
	}
	m := Matrix{Dim: dim, Data: make([]float32, rows*dim)}
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64() + common[i%dim])
	}
	return m
}

func rowsUpTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func TestRetFail_EqualsFullMatrix(t *testing.T) {
	for _, test := range []struct{ images, gallery, dim int }{
		{1, 1, 1}, {3, 0, 8}, {63, 255, 5}, {64, 256, 16}, {65, 257, 17}, {130, 600, 33}, {7, 1100, 512},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			images, own := gaussian(1, test.images, test.dim, 1), gaussian(2, test.images, test.dim, 1)
			gallery := gaussian(3, test.gallery, test.dim, 1)
			got := RetFail(images, own, gallery)

			ownScores, scores := MeanSimilarity(images, own).Cosines, make([][]float64, test.images)
			for i := range scores {
				same := make([]int, test.gallery)
				for j := range same {
					same[j] = i
				}
				scores[i] = MeanSimilarity(Subset(images, same), gallery).Cosines
			}
			want := Ranks(ownScores, scores)
			if diff := cmp.Diff(want, got.Ranks); diff != "" {
				t.Errorf("ranks (-full matrix +streamed):\n%s", diff)
			}
			if got.MRR != MeanReciprocalRank(want) || got.Gallery != test.gallery {
				t.Errorf("MRR %v, gallery %d", got.MRR, got.Gallery)
			}
		})
	}
}

// An image's own caption in the gallery never worsens its rank.
func TestRetFail_OwnCaptionInGallery(t *testing.T) {
	for _, dim := range []int{3, 16, 50, 512} {
		captions := gaussian(1, 300, dim, 2)
		images := gaussian(2, 300, dim, 2)
		shuffled := rand.New(rand.NewPCG(3, 0)).Perm(300)
		with := RetFail(images, captions, Subset(captions, shuffled))
		for i, rank := range with.Ranks {
			others := slices.Delete(rowsUpTo(300), i, i+1)
			one := []int{i}
			if without := RetFail(Subset(images, one), Subset(captions, one),
				Subset(captions, others)); without.Ranks[0] != rank {
				t.Fatalf("dim %d, image %d: rank %d with its own caption in the gallery, %d without", dim, i, rank,
					without.Ranks[0])
			}
		}
	}
}

func TestRetFail_Processors(t *testing.T) {
	images, own, gallery := gaussian(1, 500, 40, 1), gaussian(2, 500, 40, 1), gaussian(3, 300, 40, 1)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := RetFail(images, own, gallery)
	runtime.GOMAXPROCS(8)
	if diff := cmp.Diff(want, RetFail(images, own, gallery)); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

func TestRetFail_Degenerate(t *testing.T) {
	nan := float32(math.NaN())
	x := NewMatrix([][]float32{{1, 0}, {0, 1}})
	for _, test := range []struct {
		name                string
		images, own, others Matrix
		ranks               []int
		mrr                 float64
	}{
		{"no images", Matrix{}, Matrix{}, x, []int{}, math.NaN()},
		{"empty gallery", x, x, Matrix{}, []int{1, 1}, 1},
		{"zero image ties with all", NewMatrix([][]float32{{0, 0}, {0, 1}}), x, x, []int{1, 1}, 1},
		{"NaN image", NewMatrix([][]float32{{nan, 0}, {0, 1}}), x, x, []int{0, 1}, math.NaN()},
		{"NaN caption", x, NewMatrix([][]float32{{1, 0}, {nan, 1}}), x, []int{1, 0}, math.NaN()},
		{"infinite gallery", x, x, NewMatrix([][]float32{{float32(math.Inf(1)), 0}}), []int{0, 0}, math.NaN()},
		{"opposite", x, NewMatrix([][]float32{{-1, 0}, {0, -1}}), x, []int{3, 3}, 1. / 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := RetFail(test.images, test.own, test.others)
			if diff := cmp.Diff(test.ranks, got.Ranks); diff != "" {
				t.Errorf("mismatch (-test.ranks +got.Ranks):\n%s", diff)
			}
			if !same(got.MRR, test.mrr) || math.IsNaN(got.MRR) != math.IsNaN(got.RAt1) {
				t.Errorf("MRR %v, want %v; R@1 %v", got.MRR, test.mrr, got.RAt1)
			}
		})
	}
}

// same reports whether x and y are equal or both NaN.
func same(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }

func TestRetFail_Invariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, size := rapid.IntRange(1, 20).Draw(t, "images"), rapid.IntRange(0, 30).Draw(t, "gallery")
		dim := rapid.IntRange(2, 20).Draw(t, "dim")
		seed := rapid.Uint64().Draw(t, "seed")
		images, own, gallery := gaussian(seed, n, dim, 1), gaussian(seed+1, n, dim, 1), gaussian(seed+2, size, dim, 1)
		want := RetFail(images, own, gallery)

		// The scale is a power of two, so that rounding does not decide near ties.
		scale := float32(math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "scale")))
		scaled := RowFunc{n, dim, func(i int, dst []float32) {
			images.Row(i, dst)
			for k := range dst {
				dst[k] *= scale
			}
		}}
		if diff := cmp.Diff(want, RetFail(scaled, own, gallery)); diff != "" {
			t.Errorf("scaled by %v: %s", scale, diff)
		}

		order := rand.New(rand.NewPCG(seed, 9)).Perm(n)
		shuffled := RetFail(Subset(images, order), Subset(own, order), gallery)
		for i, j := range order {
			if shuffled.Ranks[i] != want.Ranks[j] {
				t.Errorf("row %d has rank %d, moved to %d it has %d", j, want.Ranks[j], i, shuffled.Ranks[i])
			}
		}

		// The opposite of an image's own direction is farther from the image than anything else.
		one, opposite := []int{0}, make([]float32, dim)
		images.Row(0, opposite)
		for k := range opposite {
			opposite[k] = -opposite[k]
		}
		far := Matrix{dim, slices.Concat(gallery.Data, opposite, opposite)}
		if got := RetFail(Subset(images, one), Subset(own, one), far); got.Ranks[0] != want.Ranks[0] {
			t.Errorf("two far captions change the rank from %d to %d", want.Ranks[0], got.Ranks[0])
		}
	})
}

func TestDrawGallery(t *testing.T) {
	forget, retain := rowsUpTo(5000), []int{7, 8, 9}
	f, r := DrawGallery(forget, retain, 1000, rand.New(rand.NewPCG(42, 0)))
	if len(f) != 1000 || len(r) != 3 {
		t.Fatalf("drew %d and %d", len(f), len(r))
	}
	again, _ := DrawGallery(forget, retain, 1000, rand.New(rand.NewPCG(42, 0)))
	if !slices.Equal(f, again) {
		t.Error("the same seed draws another gallery")
	}
	slices.Sort(f)
	slices.Sort(r)
	if len(slices.Compact(f)) != 1000 || !slices.Equal(r, retain) {
		t.Errorf("duplicates or strangers: %v %v", f, r)
	}
}

// With n exchangeable competitors the rank is uniform on 1..n+1, so that E[1/rank] = H(n+1)/(n+1): SALMUBench's chance
// level, .0041 at 2,000.
func TestRetFail_Noise(t *testing.T) {
	const n, size = 4000, 200
	got := RetFail(gaussian(1, n, 24, 0), gaussian(2, n, 24, 0), gaussian(3, size, 24, 0)).MRR
	var harmonic float64
	for k := 1; k <= size+1; k++ {
		harmonic += 1. / float64(k)
	}
	if want := harmonic / (size + 1); math.Abs(got-want) > .006 {
		t.Errorf("MRR %.4f, want about %.4f", got, want)
	}
}

func ExampleRetFail() {
	images := NewMatrix([][]float32{{1, 0}, {0, 1}})
	own := NewMatrix([][]float32{{2, 1}, {1, 3}})
	gallery := NewMatrix([][]float32{{1, 0}, {-1, 0}, {2, 1}})
	r := RetFail(images, own, gallery)
	fmt.Println("ranks", r.Ranks, "MRR", r.MRR, "R@1", r.RAt1)
	// Output: ranks [2 1] MRR 0.75 R@1 0.5
}

func ExampleRanks() {
	fmt.Println(Ranks([]float64{.9, .3}, [][]float64{{.1, .9}, {.4, .5}}))
	// Output: [1 3]
}

func ExampleDrawGallery() {
	forget, retain := DrawGallery([]int{0, 1, 2, 3}, []int{10, 11, 12}, 2, rand.New(rand.NewPCG(42, 0)))
	fmt.Println(len(forget), len(retain))
	// Output: 2 2
}

func BenchmarkRetFail(b *testing.B) {
	run := func(name string, n, gallery, dim int) {
		b.Run(name, func(b *testing.B) {
			if testing.Short() && n > 1000 {
				b.Skip("-short: the paper's size takes seconds")
			}
			images, own, captions := gaussian(1, n, dim, 1), gaussian(2, n, dim, 1), gaussian(3, gallery, dim, 1)
			for b.Loop() {
				RetFail(images, own, captions)
			}
			b.ReportMetric(2*float64(n)*float64(gallery+1)*float64(dim)*float64(b.N)/b.Elapsed().Seconds()/1e9,
				"GFLOP/s")
		})
	}
	run("small", 1000, 200, 64)
	run("paper", 30468, 2000, 512)
}
