package speechdownload

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// sounds is a column of sound in the format of the datasets library.
type sounds struct {
	Bytes []byte `parquet:"bytes,optional"`
	Path  string `parquet:"path,optional"`
}

// Massive is a row of Speech-MASSIVE with the columns that are read, and a column of lists.
type Massive struct {
	ID      string   `parquet:"id,optional"`
	Number  int64    `parquet:"intent_idx,optional"`
	Intent  string   `parquet:"intent_str,optional"`
	Text    string   `parquet:"utt,optional"`
	Tokens  []string `parquet:"tokens,list"`
	Audio   sounds   `parquet:"audio,optional"`
	Speaker string   `parquet:"speaker_id,optional"`
}

type italic struct {
	ID      int64  `parquet:"id"`
	Text    string `parquet:"utt"`
	Intent  string `parquet:"intent"`
	Audio   sounds `parquet:"audio,optional"`
	Speaker string `parquet:"speaker"`
}

// SpeechMASSIVE writes Speech-MASSIVE for a locale, such as de-DE, and its test part into two folders of dir. The sound
// is alternately WAV and FLAC.
func SpeechMASSIVE(t testing.TB, dir, locale string) {
	t.Helper()
	people := strangers
	people[1] = append(people[1], person{"ann", 5}, person{"hal", 7})
	people[2] = append(people[2], person{"ann", 4})
	folders := []string{"Speech-MASSIVE", "Speech-MASSIVE", "Speech-MASSIVE-test"}
	for part, clips := range people.clips(t, locale[:2]) {
		var rows []Massive
		for i, c := range clips {
			content := WAV(t, c.sound)
			if i%2 == 1 {
				content = flac(c.sound)
			}
			rows = append(rows, Massive{ID: fmt.Sprint(c.number), Number: int64(c.number % variety), Intent: c.intent,
				Text: c.text, Tokens: []string{c.text}, Audio: sounds{content, fmt.Sprintf("%032x.wav", c.number)},
				Speaker: c.speaker})
		}
		if part == 0 { // train is in two files; the first has several row groups
			Parquet(t, filepath.Join(dir, folders[part], locale, "train-00000-of-00002.parquet"), rows[:200])
			Parquet(t, filepath.Join(dir, folders[part], locale, "train-00001-of-00002.parquet"), rows[200:])
			continue
		}
		name := []string{"", "validation", "test"}[part]
		Parquet(t, filepath.Join(dir, folders[part], locale, name+"-00000-of-00001.parquet"), rows)
	}
}

// ITALICInParquet writes ITALIC into dir as Parquet files that include the sound.
func ITALICInParquet(t testing.TB, dir string) {
	t.Helper()
	for part, clips := range strangers.clips(t, "it") {
		var rows []italic
		for _, c := range clips {
			rows = append(rows, italic{int64(c.number), c.text, c.intent,
				sounds{WAV(t, c.sound), fmt.Sprintf("%d.wav", c.number)}, c.speaker})
		}
		name := []string{"train", "validation", "test"}[part]
		Parquet(t, filepath.Join(dir, "hard_speaker", name, "0000.parquet"), rows)
	}
}

// Parquet writes rows into a file in groups of 60.
func Parquet[T any](t testing.TB, path string, rows []T) {
	t.Helper()
	Write(t, path, nil)
	if err := parquet.WriteFile(path, rows, parquet.MaxRowsPerRowGroup(60)); err != nil {
		t.Fatal(err)
	}
}
