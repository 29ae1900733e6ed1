package speechfolder

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/download/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

// made is the folder of a small Speech-MASSIVE written by the Python library that wrote the published one.
const made = "testdata/massive/Speech-MASSIVE/de-DE"

func ExampleOpen() {
	folder, err := Open("testdata/massive/Speech-MASSIVE/de-DE", Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer folder.Close()
	fmt.Println(folder.Name, len(folder.Train), len(folder.Validation), len(folder.Test), folder.Intents)
	fmt.Println(folder.Dropped)
	clip := folder.Train[1]
	samples, err := folder.Samples(clip)
	fmt.Println(clip.Speaker, clip.Text, clip.Intent, len(samples), err)
	fmt.Println(folder.Converted())
	// Output:
	// Speech-MASSIVE de-DE 9 9 3 [alarm_set play_music weather_query]
	// [2 clips of validation by speakers of train 1 clip of test by speakers of train]
	// b Satz Nummer 1 play_music 800 <nil>
	// [44,100 Hz stereo to 16,000 Hz mono: 1 clip]
}

// download makes a download in a new temporary folder.
func download(t *testing.T, fill func(testing.TB, string)) string {
	t.Helper()
	dir := t.TempDir()
	fill(t, dir)
	return dir
}

// german makes a download of Speech-MASSIVE's German part in germanFolder.
func german(t testing.TB, dir string) { speechdownload.SpeechMASSIVE(t, dir, "de-DE") }

const germanFolder = "Speech-MASSIVE/de-DE"

// open opens a folder and closes it when the test ends.
func open(t *testing.T, dir string, parts Parts) *Folder {
	t.Helper()
	folder, err := Open(dir, Options{Parts: parts})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func TestRead_DataSets(t *testing.T) {
	tests := []struct {
		fill    func(testing.TB, string)
		below   string
		parts   Parts
		title   string
		sizes   [3]int
		first   speech.Utterance
		dropped []string
	}{
		{speechdownload.Fluent, "", "", "Fluent Speech Commands", [3]int{329, 12, 17}, speech.Utterance{
			ID: "wavs/speakers/ann/0.wav", Speaker: "ann", Text: "Turn on the lights.", Intent: "activate|lights|none"},
			nil},
		{speechdownload.SLURP, "", "", "SLURP*", [3]int{360, 46, 44}, speech.Utterance{ID: "audio-0-headset.flac",
			Speaker: "ann", Text: "Turn on the lights.", Intent: "activate_lights_none", Microphone: "headset"}, nil},
		{speechdownload.SLURP, "", Published, "SLURP", [3]int{272, 90, 88}, speech.Utterance{ID: "audio-0-headset.flac",
			Speaker: "ann", Text: "Turn on the lights.", Intent: "activate_lights_none", Microphone: "headset"}, nil},
		{speechdownload.ITALIC, "", "", "ITALIC", [3]int{329, 12, 17}, speech.Utterance{ID: "0", Speaker: "ann",
			Text: "Metti la sveglia alle sette.", Intent: "alarm_set"}, nil},
		{speechdownload.ITALICInParquet, "", HalvedValidation, "ITALIC", [3]int{329, 6, 6}, speech.Utterance{ID: "0",
			Speaker: "ann", Text: "Metti la sveglia alle sette.", Intent: "alarm_set"}, nil},
		{speechdownload.ITALICInParquet, "hard_speaker", "", "ITALIC", [3]int{329, 12, 17}, speech.Utterance{ID: "0",
			Speaker: "ann", Text: "Metti la sveglia alle sette.", Intent: "alarm_set"}, nil},
		{german, germanFolder, "", "Speech-MASSIVE de-DE", [3]int{329, 19, 17}, speech.Utterance{ID: "0",
			Speaker: "ann", Text: "Stell den Wecker auf sieben Uhr.", Intent: "alarm_set"},
			[]string{"5 clips of validation by speakers of train", "4 clips of test by speakers of train"}},
		{german, germanFolder, HalvedValidation, "Speech-MASSIVE de-DE", [3]int{329, 9, 10}, speech.Utterance{ID: "0",
			Speaker: "ann", Text: "Stell den Wecker auf sieben Uhr.", Intent: "alarm_set"},
			[]string{"5 clips of validation by speakers of train"}},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s, %s", test.title, test.parts), func(t *testing.T) {
			folder := open(t, filepath.Join(download(t, test.fill), test.below), test.parts)
			sizes := [3]int{len(folder.Train), len(folder.Validation), len(folder.Test)}
			if folder.Name != test.title || sizes != test.sizes || folder.Train[0] != test.first ||
				!slices.Equal(folder.Dropped, test.dropped) || len(folder.Intents) != 6 || folder.Rate != Rate {
				t.Errorf("%s: got %v, %+v, %q, %q, want folder.Name %v, sizes %v, folder.Train[0] %v, "+
					"folder.Dropped %v, length 6 of folder.Intents, folder.Rate %v",
					folder.Name, sizes, folder.Train[0], folder.Dropped, folder.Intents, test.title, test.sizes, test.first, test.dropped, Rate)
			}
			checkSound(t, folder)
		})
	}
}

// checkSound checks that clips sound the same if, and only if, they have the same intent. The test downloads have one
// recording for each intent.
func checkSound(t *testing.T, folder *Folder) {
	t.Helper()
	known := map[string][]float32{}
	for _, part := range folder.Set.Parts() {
		for _, u := range part.Utterances {
			samples, err := folder.Samples(u)
			if err != nil {
				t.Fatal(err)
			}
			if known[u.Intent] == nil {
				known[u.Intent] = samples
			}
			loud := slices.ContainsFunc(samples, func(x float32) bool { return x > .01 })
			if len(samples) != 800 || !loud || !slices.Equal(samples, known[u.Intent]) {
				t.Fatalf("clip %s: %d samples, loud: %t, or others than those of the intent's first", u.ID,
					len(samples), loud)
			}
		}
	}
	for intent, samples := range known {
		for other, others := range known {
			if intent != other && slices.Equal(samples, others) {
				t.Errorf("%s and %s sound the same", intent, other)
			}
		}
	}
	if lines := folder.Converted(); lines != nil {
		t.Errorf("converted %q", lines)
	}
}

// tone returns a sample of a clip that testdata/gen_massive.py generated.
func tone(number, sample int) float64 {
	return .5 * math.Sin(2*math.Pi*float64(200+20*number)*float64(sample)/Rate)
}

func TestRead_PublishersFiles(t *testing.T) {
	folder := open(t, made, "")
	var ids, speakers []string
	for _, part := range folder.Set.Parts() {
		for _, u := range part.Utterances {
			ids, speakers = append(ids, u.ID), append(speakers, u.Speaker)
			samples, err := folder.Samples(u)
			if err != nil || len(samples) != 800 {
				t.Fatalf("got %v, %v, want 800 samples", len(samples), err)
			}
			var number int
			if _, err := fmt.Sscan(u.ID, &number); err != nil {
				t.Fatal(err)
			}
			tolerance := 1. / (1 << 15)
			if number%3 == 1 {
				tolerance = 2e-3 // for clips at 44.1 kHz, because resampling changes the ends of a tone
			}
			for i := 100; i < 700; i++ {
				if math.Abs(float64(samples[i])-tone(number, i)) > tolerance {
					t.Fatalf("clip %s, sample %d: %g, want %g", u.ID, i, samples[i], tone(number, i))
				}
			}
		}
	}
	if want := strings.Fields("0 1 2 3 4 5 6 7 8 20 22 23 25 26 27 28 29 30 40 42 43"); !slices.Equal(ids, want) {
		t.Errorf("clips %q", ids)
	}
	if want := strings.Fields("a b a c b a c c a d e f d d f e d e g h h"); !slices.Equal(speakers, want) {
		t.Errorf("speakers %q", speakers)
	}
}

func TestValidation_Halved(t *testing.T) {
	var drawn struct {
		Halves   struct{ Validation, Test []string }
		Shuffled map[int][]int
	}
	content, err := os.ReadFile("testdata/massive/numpy.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &drawn); err != nil {
		t.Fatal(err)
	}
	folder := open(t, made, HalvedValidation)
	ids := func(clips []speech.Utterance) (ids []string) {
		for _, u := range clips {
			ids = append(ids, u.ID)
		}
		return ids
	}
	if !slices.Equal(ids(folder.Validation), drawn.Halves.Validation) ||
		!slices.Equal(ids(folder.Test), drawn.Halves.Test) || len(folder.Test) != 5 {
		t.Errorf("%q and %q, want %q and %q", ids(folder.Validation), ids(folder.Test), drawn.Halves.Validation,
			drawn.Halves.Test)
	}
	for size, want := range drawn.Shuffled {
		order := make([]int, size)
		for i := range order {
			order[i] = i
		}
		if shuffleAsNumPy(notebookSeed, order); !slices.Equal(order, want) || len(want) != size {
			t.Errorf("%d values: %d, want %d", size, order, want)
		}
	}
}

func TestParquet_AnyOrder(t *testing.T) {
	folder := open(t, filepath.Join(download(t, german), germanFolder), "")
	order := make([]int, len(folder.Train))
	for i := range order {
		order[i] = i
	}
	shuffleAsNumPy(1, order)
	inOrder, shuffled := make([][]float32, len(order)), make([][]float32, len(order))
	read := func(i int, into [][]float32) {
		samples, err := folder.Samples(folder.Train[i])
		if err != nil {
			t.Error(err)
		}
		into[i] = samples
	}
	for i := range order {
		read(i, inOrder)
	}
	var all sync.WaitGroup
	for half := range 2 {
		all.Go(func() {
			for _, i := range order[half*len(order)/2 : (half+1)*len(order)/2] {
				read(i, shuffled)
			}
		})
	}
	all.Wait()
	for i := range order {
		if !slices.Equal(inOrder[i], shuffled[i]) {
			t.Fatalf("clip %d differs", i)
		}
	}
}

// A recording listed twice is used once.
func TestRead_RecordingOnce(t *testing.T) {
	dir := download(t, speechdownload.SLURP)
	rewrite(t, filepath.Join(dir, "dataset/slurp/test.jsonl"), func(text string) string {
		first, _, _ := strings.Cut(text, "\n")
		return text + first + "\n"
	})
	folder := open(t, dir, "")
	if want := []string{"10 recordings that are listed again"}; !slices.Equal(folder.Dropped, want) ||
		len(folder.Train) != 360 {
		t.Errorf("%q, %d clips", folder.Dropped, len(folder.Train))
	}
}

func TestRead_UnknownIntents(t *testing.T) {
	dir := download(t, speechdownload.ITALIC)
	rewrite(t, filepath.Join(dir, "hard_speaker_test.json"), func(text string) string {
		return strings.Replace(text, `"intent":"`, `"intent":"un`, 2)
	})
	folder := open(t, dir, "")
	if want := []string{"2 clips of test with intents that no clip of train has"}; len(folder.Test) != 15 ||
		!slices.Equal(folder.Dropped, want) {
		t.Errorf("%q, %d clips", folder.Dropped, len(folder.Test))
	}
}

// rewrite changes the text of a file.
func rewrite(t *testing.T, path string, change func(string) string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := change(string(content))
	if changed == string(content) {
		t.Fatalf("%s is as it was", path)
	}
	speechdownload.Write(t, path, []byte(changed))
}

func TestFiles(t *testing.T) {
	for _, test := range []struct {
		fill  func(testing.TB, string)
		below string
		count int
		some  []string
	}{
		{speechdownload.Fluent, "", 3 + 329 + 12 + 17, []string{"data/valid_data.csv", "wavs/speakers/ann/0.wav"}},
		{speechdownload.SLURP, "", 4 + 450, []string{"dataset/slurp/metadata.json", "dataset/slurp/devel.jsonl",
			"audio/slurp_real/audio-1.flac"}},
		{speechdownload.ITALIC, "", 3 + 329 + 12 + 17, []string{"hard_speaker_test.json", "recordings/0.wav"}},
		{speechdownload.ITALICInParquet, "", 3, []string{"hard_speaker/test/0000.parquet"}},
		{german, germanFolder, 4, []string{"train-00000-of-00002.parquet",
			"../../Speech-MASSIVE-test/de-DE/test-00000-of-00001.parquet"}},
	} {
		folder := open(t, filepath.Join(download(t, test.fill), test.below), "")
		files, err := folder.Files()
		if err != nil || len(files) != test.count || !slices.IsSorted(files) {
			t.Errorf("%s: %d files, want %d, %v", folder.Kind, len(files), test.count, err)
		}
		for _, name := range test.some {
			if !slices.Contains(files, name) {
				t.Errorf("%s: no %s", folder.Kind, name)
			}
		}
		for _, name := range files {
			if _, err := os.Stat(filepath.Join(folder.Dir, filepath.FromSlash(name))); err != nil {
				t.Error(err)
			}
		}
	}
}
