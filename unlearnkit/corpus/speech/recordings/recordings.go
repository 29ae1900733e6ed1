// Package recordings contains short spoken commands in English, Italian, German and French. For each language, it
// embeds 16 synthetic voices with 50 clips each.
//
// The voices are from espeak-ng and flite; README.md in this folder lists the voices with their licences and explains
// how the files were made. A voice's clips are concatenated in a FLAC file with 8,000 samples per second and 8 bits.
package recordings

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

//go:embed clips.csv voices.csv en/*.flac it/*.flac de/*.flac fr/*.flac
var files embed.FS

// Rate is the number of samples per second.
const Rate = 8000

// Clip is a recording of one command.
type Clip struct {
	Text   string
	Intent string // in English, action, object and location separated by bars; otherwise a name from MASSIVE
	Start  int    // index of the first sample in the voice's samples
	Length int    // length in samples
}

// Voice is a recorded voice.
type Voice struct {
	Name   string
	Engine string // espeak-ng or flite
	Clips  []Clip

	samples func() []int8
}

// Samples returns the clip's 8-bit samples, from -128 to 127. Callers must not change them, because they are shared.
func (v *Voice) Samples(c Clip) []int8 {
	return v.samples()[c.Start : c.Start+c.Length : c.Start+c.Length]
}

// languages returns the ISO 639-1 codes of the recordings' languages.
func languages() []string { return slices.Sorted(maps.Keys(index())) }

// Voices returns the voices of a language. Callers must not change them, because they are shared.
func Voices(language string) ([]*Voice, error) {
	voices, ok := index()[language]
	if !ok {
		return nil, fmt.Errorf("no recordings in the language %q; there are some in %s", language,
			strings.Join(languages(), ", "))
	}
	return voices, nil
}

// index returns the voices of each language, read once from the embedded tables. It panics if a table is damaged,
// because the tables are part of the program.
var index = sync.OnceValue(func() map[string][]*Voice {
	voices := map[string][]*Voice{}
	for _, line := range table("voices.csv") {
		language, file := line["language"], line["file"]
		voices[language] = append(voices[language], &Voice{Name: line["voice"], Engine: line["engine"],
			samples: sync.OnceValue(func() []int8 { return decode(file) })})
	}
	for _, line := range table("clips.csv") {
		of := voices[line["language"]]
		i := slices.IndexFunc(of, func(v *Voice) bool { return v.Name == line["voice"] })
		of[i].Clips = append(of[i].Clips, Clip{Text: line["text"], Intent: line["intent"],
			Start: whole(line["start"]), Length: whole(line["length"])})
	}
	return voices
})

// table reads a table with maps from column names to cells as rows.
func table(file string) []map[string]string {
	content, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("recordings: %s: %v", file, err))
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func whole(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("recordings: %v", err))
	}
	return n
}

// decode returns the 8-bit samples in a FLAC file.
func decode(file string) []int8 {
	content, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	audio, err := safefile.DecodeAudio(content, 1<<24)
	if err != nil || audio.Rate != Rate || len(audio.Channels) != 1 {
		panic(fmt.Sprintf("recordings: %s is not mono at %d samples a second: %v", file, Rate, err))
	}
	samples := make([]int8, audio.Samples())
	for i, x := range audio.Channels[0] {
		samples[i] = int8(x * 128)
	}
	return samples
}
