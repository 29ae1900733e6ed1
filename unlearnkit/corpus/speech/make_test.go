package speech

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech/recordings"
)

func ExampleMake() {
	set, err := Make(Easy(42))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, part := range set.Parts() {
		fmt.Printf("%s: %d speakers, %d clips\n", part.Name, len(Speakers(part.Utterances)), len(part.Utterances))
	}
	u := set.Train[0]
	samples, err := set.Samples(u)
	fmt.Println(len(set.Intents), u.Speaker, u.Text, len(samples) > set.Rate/2, err)
	// Output:
	// train: 24 speakers, 1440 clips
	// validation: 4 speakers, 240 clips
	// test: 6 speakers, 360 clips
	// 31 en-01 Switch to English. true <nil>
}

func designs(root uint64) []Config {
	return []Config{Easy(root), Hard(root), Italian(root), German(root), French(root)}
}

// drawn generates the world of a configuration, with fewer clips if a voice has too few sentences.
func drawn(t *rapid.T, c Config) (*maker, *Set) {
	m, set, err := build(c)
	if err == nil {
		return m, set
	}
	if !strings.Contains(err.Error(), "has sentences for") {
		t.Fatal(err)
	}
	c.Clips = 50
	return mustBuild(t, c)
}

func mustBuild(t interface{ Fatal(...any) }, c Config) (*maker, *Set) {
	m, set, err := build(c)
	if err != nil {
		t.Fatal(err)
	}
	return m, set
}

func mustMake(t testing.TB, c Config) *Set {
	_, set := mustBuild(t, c)
	return set
}

// The digests are the same on every processor.
func TestWorld_Unchanged(t *testing.T) {
	wants := map[string]string{"Easy English": "09d494fd9d1bd1db", "Hard English": "2f2d6c0b42873a44",
		"Italian": "89a6d287859963ac", "German": "df0ca745629603b8", "French": "28261f8744631a1c"}
	for _, c := range designs(7) {
		set := mustMake(t, c)
		digest := sha256.New()
		for _, part := range set.Parts() {
			for i, u := range part.Utterances {
				fmt.Fprintln(digest, part.Name, u)
				if i%40 != 0 {
					continue
				}
				samples, err := set.Samples(u)
				if err != nil {
					t.Fatal(err)
				}
				if length, err := set.Length(u); err != nil || length != len(samples) {
					t.Errorf("%s has the length %d, want %d: %v", u.ID, length, len(samples), err)
				}
				if err := binary.Write(digest, binary.LittleEndian, samples); err != nil {
					t.Fatal(err)
				}
			}
		}
		if has := hex.EncodeToString(digest.Sum(nil)[:8]); has != wants[c.Name] {
			t.Errorf("%s: %s, want %s", c.Name, has, wants[c.Name])
		}
	}
}

// The weights are rounded, and the last bit of the sine differs between processors. The rounded weights are the same on
// all processors only if no weight is near the middle between two integers.
func TestSpeed_WeightRounding(t *testing.T) {
	for speed := slowest; speed <= fastest; speed++ {
		for p := range positions {
			for i := range taps {
				w := weight(speed, p, i)
				if distance := math.Abs(math.Abs(w-math.Trunc(w)) - .5); distance < 1e-10 {
					t.Errorf("speed %d, place %d, weight %d: %.17g", speed, p, i, w)
				}
			}
		}
	}
}

// The speed changes the pitch of a tone but not its loudness; a tone above the highest frequency is removed.
func TestSpeed_Pitch(t *testing.T) {
	tests := []struct {
		speed     int
		frequency float64
		want      float64
	}{{256, 440, 1}, {218, 440, 1}, {300, 440, 1}, {300, 2200, 1}, {218, 2800, 1}, {300, 3990, 0}}
	for _, test := range tests {
		tone := make([]int8, 4000)
		for i := range tone {
			tone[i] = int8(math.Round(100 * math.Sin(2*math.Pi*test.frequency*float64(i)/recordings.Rate)))
		}
		played := make([]float64, 3000)
		resample(played, tone, test.speed)
		pitch := test.frequency * float64(test.speed) / 256
		sine, cosine := 0., 0.
		for i, x := range played[200:2800] {
			angle := 2 * math.Pi * pitch * float64(i) / recordings.Rate
			sine += x * math.Sin(angle) / 1300
			cosine += x * math.Cos(angle) / 1300
		}
		if has := math.Hypot(sine, cosine) / (100. / 128); math.Abs(has-test.want) > .1 {
			t.Errorf("speed %d, %g Hz: loudness %.3f, want %g", test.speed, test.frequency, has, test.want)
		}
	}
}

// worlds draws a random configuration that a user might ask for.
func worlds(t *rapid.T) Config {
	c := rapid.SampledFrom(designs(rapid.Uint64().Draw(t, "seed"))).Draw(t, "design")
	c.Skew = 0 // a skewed world with few clips may lack an intent, which would be an error
	c.TrainSpeakers = rapid.IntRange(20, 40).Draw(t, "speakers")
	c.Clips = rapid.IntRange(50, 70).Draw(t, "clips")
	c.FarField = rapid.Bool().Draw(t, "far field")
	c.HeldOutPhrasings = rapid.IntRange(0, 2).Draw(t, "held out")
	c.TestVoices = rapid.IntRange(1, 4).Draw(t, "test voices")
	return c
}

// Test voices and held-out sentences do not occur in training.
func TestWorld_HeldOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := worlds(t)
		m, set := drawn(t, c)
		voices := map[string]map[string]bool{}
		for _, part := range set.Parts() {
			voices[part.Name] = map[string]bool{}
			for _, u := range part.Utterances {
				voices[part.Name][m.takes[u.ID].speaker.voice.Name] = true
				if part.Name == "train" && m.heldOut[u.Text] {
					t.Fatalf("%q is said in training", u.Text)
				}
			}
		}
		if len(voices["test"]) != min(c.TestVoices, c.TestSpeakers) ||
			len(voices["train"]) != min(c.TrainSpeakers, 16-reservedVoices-c.TestVoices-c.ValidationVoices) {
			t.Fatalf(`got %v, want length %v of ["test"], length %v of ["train"]`,
				voices, min(c.TestVoices, c.TestSpeakers),
				min(c.TrainSpeakers, 16-reservedVoices-c.TestVoices-c.ValidationVoices))
		}
		for _, pair := range [][2]string{{"train", "validation"}, {"train", "test"}, {"validation", "test"}} {
			for voice := range voices[pair[0]] {
				if voices[pair[1]][voice] {
					t.Fatalf("%s speaks in %s and %s", voice, pair[0], pair[1])
				}
			}
		}
		if want := c.HeldOutPhrasings * len(set.Intents); len(m.heldOut) != want {
			t.Fatalf("%d sentences are held out, want %d", len(m.heldOut), want)
		}
	})
}

// Every speaker has as many clips as requested, half of them with the far microphone if there is one.
func TestWorld_ClipsPerSpeaker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := worlds(t)
		m, set := drawn(t, c)
		c.Clips = m.Clips // fewer clips if a voice has too few sentences
		for _, part := range set.Parts() {
			clips, far := map[string]int{}, map[string]int{}
			for _, u := range part.Utterances {
				clips[u.Speaker]++
				if u.Microphone == "far field" {
					far[u.Speaker]++
				}
				if n := m.takes[u.ID].number; n < 0 || n >= mostTakes {
					t.Fatalf("%s is take %d", u.ID, n)
				}
			}
			for speaker, n := range clips {
				if n != c.Clips || c.FarField && far[speaker] != n/2 || !c.FarField && far[speaker] != 0 {
					t.Fatalf("%s has %d clips, %d far", speaker, n, far[speaker])
				}
			}
		}
	})
}

// There is label noise in training and validation, and in the test only on request.
func TestWorld_LabelNoise(t *testing.T) {
	for _, noisyTest := range []bool{false, true} {
		c := Hard(3)
		c.NoisyTest, c.FarField, c.Skew, c.HeldOutPhrasings = noisyTest, false, 0, 0
		set := mustMake(t, c)
		for _, part := range set.Parts() {
			wrong := 0
			for _, u := range part.Utterances {
				if set.Intents[u.Label] != u.Intent {
					wrong++
				}
			}
			// A random label is correct with probability 1/31.
			share, want := float64(wrong)/float64(len(part.Utterances)), .15*30/31
			if part.Name == "test" && !noisyTest {
				want = 0
			}
			if deviation := math.Sqrt(want * (1 - want) / float64(len(part.Utterances))); math.Abs(share-want) >
				4*deviation {
				t.Errorf("%s: %.3f of the labels are wrong, want %.3f", part.Name, share, want)
			}
		}
	}
}

func TestWorld_Skew(t *testing.T) {
	for _, skew := range []float64{0, .2, 1} {
		c := Easy(5)
		c.Skew = skew
		set := mustMake(t, c)
		times := make([]int, len(set.Intents))
		for _, u := range set.Train {
			times[slices.Index(set.Intents, u.Intent)]++
		}
		slices.Sort(times)
		least, most := times[0], times[len(times)-1]
		ratio := float64(most) / float64(least)
		if skew == 0 && ratio > 2.5 || skew == .2 && (ratio < 2.5 || ratio > 12) || skew == 1 && ratio < 6 {
			t.Errorf("skew %g: between %d and %d", skew, least, most)
		}
	}
}

func TestWorld_Seeds(t *testing.T) {
	one, again := mustMake(t, Hard(1)), mustMake(t, Hard(1))
	if !slices.Equal(one.Train, again.Train) || !slices.Equal(one.Test, again.Test) {
		t.Error("one seed makes two worlds")
	}
	held := map[string]bool{}
	for root := range uint64(20) {
		m, set := mustBuild(t, Hard(root))
		if root != 1 && slices.Equal(set.Train, one.Train) {
			t.Error("two seeds make one world")
		}
		for _, u := range set.Test {
			held[m.takes[u.ID].speaker.voice.Name] = true
		}
	}
	if len(held) < 16-reservedVoices-1 {
		t.Errorf("%d voices only are ever held out", len(held))
	}
}

func TestMake_Refused(t *testing.T) {
	tests := []struct {
		says  string
		spoil func(*Config)
	}{
		{`no recordings in the language "nl"; there are some in de, en, fr, it`, func(c *Config) { c.Language = "nl" }},
		{"training with 0 speakers and 8 voices of the 16; it needs at least one of each",
			func(c *Config) { c.TrainSpeakers = 0 }},
		{"training with 24 speakers and 0 voices of the 16", func(c *Config) { c.TestVoices = 11 }},
		{"validation with 4 speakers and 0 voices", func(c *Config) { c.ValidationVoices = 0 }},
		{"test with -1 speakers", func(c *Config) { c.TestSpeakers = -1 }},
		{"test with 49 speakers; 3 voices make at most 48 that can be told apart",
			func(c *Config) { c.TestSpeakers = 49 }},
		{"0 clips a speaker; between 1 and 200 can be made", func(c *Config) { c.Clips = 0 }},
		{"201 clips a speaker; between 1 and 200 can be made", func(c *Config) { c.Clips = 201 }},
		{"label noise of 1.5", func(c *Config) { c.LabelNoise = 1.5 }},
		{"label noise of NaN", func(c *Config) { c.LabelNoise = math.NaN() }},
		{"a skew of -1", func(c *Config) { c.Skew = -1 }},
		{"4 held-out phrasings; \"activate|lamp|none\" has 4, of which one must be left",
			func(c *Config) { c.HeldOutPhrasings = 4 }},
		{"200 clips a speaker; the voice of en-01 has sentences for ",
			func(c *Config) { c.Clips, c.HeldOutPhrasings = 200, 1 }},
		{"no clip of train has the label", func(c *Config) { c.TrainSpeakers, c.Clips = 1, 1 }},
	}
	for _, test := range tests {
		c := Easy(1)
		test.spoil(&c)
		_, err := Make(c)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") ||
			!strings.HasPrefix(err.Error(), "make the world ") {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
}

func TestClips_LoudnessAndLength(t *testing.T) {
	for _, c := range designs(2) {
		set := mustMake(t, c)
		for i, u := range set.Train {
			if i%7 != 0 {
				continue
			}
			samples, err := set.Samples(u)
			if err != nil {
				t.Fatal(err)
			}
			loudest := float32(0)
			for _, x := range samples {
				loudest = max(loudest, x, -x)
			}
			seconds := float64(len(samples)) / float64(set.Rate)
			if loudest < .1 || loudest > .9001 || seconds < .5 || seconds > 5 {
				t.Errorf("%s: loudest %g, %.2f s", u.ID, loudest, seconds)
			}
		}
	}
}

func TestClips_OtherWorld(t *testing.T) {
	set := mustMake(t, Easy(1))
	_, err := set.Samples(Utterance{ID: "nobody"})
	if want := "Easy English, clip nobody: no such clip in this world"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}

func BenchmarkAWorldOfTwoThousandClips(b *testing.B) {
	for b.Loop() {
		set := mustMake(b, Hard(1))
		for _, part := range set.Parts() {
			for _, u := range part.Utterances {
				if _, err := set.Samples(u); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
