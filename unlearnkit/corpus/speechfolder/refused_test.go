package speechfolder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/unlearnlab/unlearnlab/internal/testkit/download/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
)

// replaced returns a function that replaces the first occurrence of a text in a file.
func replaced(file, old, with string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		rewrite(t, filepath.Join(dir, file), func(text string) string { return strings.Replace(text, old, with, 1) })
	}
}

// removed returns a function that removes a file.
func removed(file string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if err := os.RemoveAll(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
	}
}

// cut returns a function that removes the second half of a file.
func cut(file string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		rewrite(t, filepath.Join(dir, file), func(text string) string { return text[:len(text)/2] })
	}
}

// row returns a function that changes a row of a Parquet file.
func row(file string, number int, change func(*speechdownload.Massive)) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		path := filepath.Join(dir, germanFolder, file)
		rows, err := parquet.ReadFile[speechdownload.Massive](path)
		if err != nil {
			t.Fatal(err)
		}
		change(&rows[number])
		speechdownload.Parquet(t, path, rows)
	}
}

// checkLine checks that an error has one line and contains the given texts.
func checkLine(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%v, want one line with %q", err, words)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%v, want %q in it", err, word)
		}
	}
}

// tablesOf makes a download once, without its sound files, which are not read when a folder is opened. It returns a
// function that copies the download into other folders.
func tablesOf(t *testing.T, fill func(testing.TB, string)) func(testing.TB, string) {
	whole := download(t, fill)
	for _, sounds := range []string{"wavs", "audio", "recordings"} {
		removed(sounds)(t, whole)
	}
	return func(t testing.TB, dir string) {
		t.Helper()
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	trainCSV   = "data/train_data.csv"
	trainLines = "dataset/slurp/train.jsonl"
	metadata   = "dataset/slurp/metadata.json"
	oneShard   = "validation-00000-of-00001.parquet"
	firstShard = "train-00000-of-00002.parquet"
)

func TestOpen_Refused(t *testing.T) {
	fluent, slurp, italic, german := tablesOf(t, speechdownload.Fluent), tablesOf(t, speechdownload.SLURP),
		tablesOf(t, speechdownload.ITALIC), tablesOf(t, german)
	tests := []struct {
		name  string
		fill  func(testing.TB, string)
		spoil func(*testing.T, string)
		words []string
	}{
		{"missing column", fluent, replaced(trainCSV, "speakerId", "speaker"),
			[]string{trainCSV, `no column "speakerId"; it has`, `"speaker"`}},
		{"missing label", fluent, replaced(trainCSV, ",activate,lights,", ",activate,,"),
			[]string{trainCSV, "row 1", `the column "object" is empty`}},
		{"a speaker in train and in test", fluent, replaced("data/test_data.csv", ",fay,", ",ann,"),
			[]string{"Fluent Speech Commands: the speaker ann is in train and in test"}},
		{"a path out of the folder", fluent, replaced(trainCSV, "wavs/speakers/ann/0.wav", "../../secret.wav"),
			[]string{trainCSV, "row 1", `the file "../../secret.wav" leads out of the folder`}},
		{"a clip twice", fluent, replaced(trainCSV, "wavs/speakers/bob/1.wav", "wavs/speakers/ann/0.wav"),
			[]string{trainCSV, "row 2", "the clip wavs/speakers/ann/0.wav occurs twice"}},
		{"no table of validation", fluent, removed("data/valid_data.csv"), []string{"valid_data.csv", "no such file"}},
		{"a table without rows", fluent, func(t *testing.T, dir string) {
			speechdownload.Write(t, filepath.Join(dir, trainCSV), nil)
		}, []string{trainCSV, "empty"}},
		{"half a line", slurp, replaced(trainLines, "}\n", "\n"), []string{trainLines, "line 1", "not a sentence"}},
		{"recordings that are no list", slurp, replaced(trainLines, `"recordings":[`, `"recordings":3,"x":[`),
			[]string{trainLines, "line 1", "recordings"}},
		{"no recordings", slurp, replaced(trainLines, `"recordings"`, `"records"`),
			[]string{trainLines, "line 1", `the field "recordings" is missing`}},
		{"no intent", slurp, replaced(trainLines, `"activate_lights_none"`, `""`),
			[]string{trainLines, "line 1", "the clip has no intent"}},
		{"no speaker", slurp, replaced(metadata, `"audio-0-headset.flac"`, `"audio.flac"`),
			[]string{trainLines, "line 1", `metadata.json does not know who speaks in "audio-0-headset.flac"`}},
		{"an empty speaker", slurp, replaced(metadata, `"usrid":"ann"`, `"usrid":""`),
			[]string{"the clip has no speaker"}},
		{"no metadata", slurp, removed(metadata), []string{metadata, "no such file", "lists the speakers"}},
		{"half the metadata", slurp, cut(metadata), []string{metadata, "sentence", "unexpected EOF"}},
		{"metadata that are a list", slurp, func(t *testing.T, dir string) {
			speechdownload.Write(t, filepath.Join(dir, metadata), []byte("[]"))
		}, []string{metadata, "not a JSON object"}},
		{"a number for an intent", italic, replaced("hard_speaker_train.json", `"intent":"alarm_set"`, `"intent":3`),
			[]string{"hard_speaker_train.json", "line 1", "not a clip"}},
		{"no ID", italic, replaced("hard_speaker_train.json", `"id":0,`, ""), []string{"line 1", "the clip has no ID"}},
		{"no files of validation", german, removed(germanFolder + "/" + oneShard),
			[]string{"de-DE: there are no files validation-….parquet"}},
		{"one file of two", german, removed(germanFolder + "/train-00001-of-00002.parquet"),
			[]string{"de-DE: train has 1 of 2 files; download it again"}},
		{"no Parquet file", german, func(t *testing.T, dir string) {
			speechdownload.Write(t, filepath.Join(dir, germanFolder, oneShard), []byte("a page that says no such file"))
		}, []string{oneShard, "not a whole Parquet file"}},
		{"half a Parquet file", german, cut(germanFolder + "/" + oneShard), []string{oneShard, "not a whole Parquet"}},
		{"other columns", german, func(t *testing.T, dir string) {
			type mute struct {
				ID    string                       `parquet:"id"`
				Text  string                       `parquet:"utt"`
				Audio struct{ Bytes, Path []byte } `parquet:"audio"`
			}
			speechdownload.Parquet(t, filepath.Join(dir, germanFolder, oneShard), []mute{{ID: "1", Text: "Hallo"}})
		}, []string{oneShard, `no column "audio.bytes"; it has`}},
		{"no column of speakers", german, func(t *testing.T, dir string) {
			type nobody struct {
				ID     string `parquet:"id"`
				Text   string `parquet:"utt"`
				Intent string `parquet:"intent_str"`
				Audio  struct {
					Bytes []byte `parquet:"bytes"`
					Path  string `parquet:"path"`
				} `parquet:"audio"`
			}
			speechdownload.Parquet(t, filepath.Join(dir, germanFolder, oneShard), []nobody{{ID: "1", Text: "Hallo"}})
		}, []string{oneShard, `no column "speaker_id"; it has`}},
		{"an empty cell", german, row(oneShard, 2, func(r *speechdownload.Massive) { r.Speaker = "" }),
			[]string{oneShard, "row 3", `the column "speaker_id" is empty`}},
		{"no test", german, removed("Speech-MASSIVE-test"), []string{"Speech-MASSIVE-test", "half of validation"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := download(t, test.fill)
			test.spoil(t, dir)
			if _, err := os.Stat(filepath.Join(dir, germanFolder)); err == nil {
				dir = filepath.Join(dir, germanFolder)
			}
			_, err := Open(dir, Options{})
			checkLine(t, err, append(test.words, "read "+dir)...)
		})
	}
}

func TestOpen_NoDataSet(t *testing.T) {
	for dir, words := range map[string][]string{
		t.TempDir(): {"no known data set is in it", "data/train_data.csv (Fluent Speech Commands)",
			"dataset/slurp/train.jsonl", "hard_speaker", "de-DE or fr-FR"},
		filepath.Dir(made):                   {"such as Speech-MASSIVE de-DE in de-DE; give one of these"},
		filepath.Join(t.TempDir(), "nobody"): {"no such file"},
	} {
		_, err := Open(dir, Options{})
		checkLine(t, err, append(words, "read "+dir)...)
	}
	_, err := Open(made, Options{Parts: BySpeaker})
	checkLine(t, err, made, `cannot be made "split anew by speaker"`, "half of validation")
}

func TestSamples_BadSound(t *testing.T) {
	silent, err := os.ReadFile("../../safefile/testdata/empty.wav")
	if err != nil {
		t.Fatal(err)
	}
	put := func(file string, content []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) { speechdownload.Write(t, filepath.Join(dir, file), content) }
	}
	bytes := func(change func([]byte) []byte) func(*testing.T, string) {
		return row(firstShard, 1, func(r *speechdownload.Massive) { r.Audio.Bytes = change(r.Audio.Bytes) })
	}
	const wav, flac = "wavs/speakers/bob/1.wav", "audio/slurp_real/audio-0.flac"
	inShard := firstShard + ", row 2, 00000000000000000000000000000001.wav: "
	tests := []struct {
		name  string
		fill  func(testing.TB, string)
		spoil func(*testing.T, string)
		says  string
	}{
		{"no samples", speechdownload.Fluent, put(wav, silent), wav + ": it holds no sound"},
		{"no bytes", speechdownload.Fluent, put(wav, nil), wav + ": the file is empty"},
		{"no file", speechdownload.Fluent, removed(wav), wav + ": no such file"},
		{"MP3 with a tag", speechdownload.Fluent, put(wav, []byte("ID3\x04")), "as MP3 does; write it as WAV or FLAC"},
		{"MP3", speechdownload.Fluent, put(wav, []byte("\xff\xfb\x90\x64")), wav + ": neither a WAV nor a FLAC file"},
		{"half a FLAC file", speechdownload.SLURP, cut(flac), flac + ": after sample 0: "},
		{"half a FLAC file in Parquet", german, bytes(func(b []byte) []byte { return b[:len(b)/2] }),
			inShard + "after"},
		{"MP3 in Parquet", german, bytes(func([]byte) []byte { return []byte("\xff\xfb\x90\x64") }),
			inShard + "neither a WAV nor a FLAC file"},
		{"nothing in Parquet", german, bytes(func([]byte) []byte { return nil }),
			`row 2: the sound "00000000000000000000000000000001.wav" is not in the file`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := download(t, test.fill)
			test.spoil(t, dir)
			if _, err := os.Stat(filepath.Join(dir, germanFolder)); err == nil {
				dir = filepath.Join(dir, germanFolder)
			}
			folder := open(t, dir, "")
			if _, err := folder.Samples(folder.Train[0]); err != nil {
				t.Error(err)
			}
			clip := folder.Train[1]
			_, err := folder.Samples(clip)
			checkLine(t, err, folder.Name+", clip "+clip.ID+": read ", test.says)
			if _, err := folder.Samples(folder.Train[2]); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSamples_Converted(t *testing.T) {
	dir := download(t, speechdownload.Fluent)
	stereo := sound.Clip{Rate: 44_100, Channels: [][]float32{make([]float32, 4410), make([]float32, 4410)}}
	stereo.Channels[0][2205] = 1
	speechdownload.Write(t, filepath.Join(dir, "wavs/speakers/ann/0.wav"), speechdownload.WAV(t, stereo))
	folder := open(t, dir, "")
	samples, err := folder.Samples(folder.Train[0])
	told := folder.Converted()
	if err != nil || len(samples) != 1600 || len(told) != 1 ||
		told[0] != "44,100 Hz stereo to 16,000 Hz mono: 1 clip" {
		t.Errorf(`got %v, %v, %v, want 1600 samples, 1 told, [0] "44,100 Hz stereo to 16,000 Hz mono: 1 clip"`,
			len(samples), err, told)
	}
}

// SLURP as published can be opened but not used for the benchmark.
func TestSLURP_Published(t *testing.T) {
	folder := open(t, download(t, speechdownload.SLURP), Published)
	checkLine(t, folder.Check(), "the speaker ann is in train and in test")
	microphones := map[string]int{}
	for _, u := range folder.Train {
		microphones[u.Microphone]++
	}
	if microphones["headset"] != 136 || microphones["far field"] != 136 {
		t.Errorf("microphones %v", microphones)
	}
	if again := open(t, folder.Dir, BySpeaker); strings.Join(speech.Speakers(again.Train), " ") != "ann bob cleo" {
		t.Errorf("speakers %q", speech.Speakers(again.Train))
	}
}
