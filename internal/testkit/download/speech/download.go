// Package speechdownload makes small downloads for tests in the schemas of published data sets of spoken commands. The
// sound is from the recordings that are part of the program.
//
// Ann, Bob and Cleo have more than 100 training clips each, so the benchmark's rule can choose them to be forgotten. In
// Speech-MASSIVE, Ann also speaks in the other parts, as some speakers of the published data set do.
package speechdownload

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech/recordings"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
)

// person is a speaker in a part and their number of clips.
type person struct {
	name  string
	clips int
}

// cast lists the speakers in training, validation and test parts.
type cast [3][]person

var strangers = cast{{{"ann", 104}, {"bob", 103}, {"cleo", 102}, {"dan", 20}}, {{"eve", 12}},
	{{"fay", 9}, {"gus", 8}}}

// clip is a recording and its fields in a table.
type clip struct {
	number                int
	speaker, text, intent string
	sound                 sound.Clip
}

// variety is the number of sentences, each with its own intent.
const variety = 6

// length is the length of a clip in samples at the recordings' rate. Clips are cut from the loudest part.
const length = 400

// spokenSentences returns one sentence for each of the first intents, spoken by the language's first voice.
func spokenSentences(t testing.TB, language string) []clip {
	t.Helper()
	voices, err := recordings.Voices(language)
	if err != nil {
		t.Fatal(err)
	}
	var clips []clip
	seen := map[string]bool{}
	for _, c := range voices[0].Clips {
		if seen[c.Intent] || len(clips) == variety {
			continue
		}
		seen[c.Intent] = true
		samples, whole := make([]float32, length), voices[0].Samples(c)
		loudest := min(slices.Index(whole, slices.Max(whole)), len(whole)-length)
		for i, x := range whole[loudest : loudest+length] {
			samples[i] = float32(x) / 128
		}
		if samples, err = preprocess.Resample(samples, recordings.Rate, 2*recordings.Rate); err != nil {
			t.Fatal(err)
		}
		clips = append(clips, clip{text: c.Text, intent: c.Intent,
			sound: sound.Clip{Rate: 2 * recordings.Rate, Channels: [][]float32{samples}}})
	}
	return clips
}

// clips returns the clips of all parts. Speakers take turns until they have no clips left.
func (c cast) clips(t testing.TB, language string) (parts [3][]clip) {
	t.Helper()
	sentences, number := spokenSentences(t, language), 0
	for part, people := range c {
		for turn, more := 0, true; more; turn++ {
			more = false
			for _, p := range people {
				if turn < p.clips {
					more = true
					said := sentences[number%len(sentences)]
					said.number, said.speaker = number, p.name
					parts[part] = append(parts[part], said)
					number++
				}
			}
		}
	}
	return parts
}

// Fluent writes Fluent Speech Commands into dir.
func Fluent(t testing.TB, dir string) {
	t.Helper()
	for part, clips := range strangers.clips(t, "en") {
		var table bytes.Buffer
		lines := csv.NewWriter(&table)
		put := func(cells ...string) {
			if err := lines.Write(cells); err != nil {
				t.Fatal(err)
			}
		}
		put("", "path", "speakerId", "transcription", "action", "object", "location")
		for i, c := range clips {
			path := fmt.Sprintf("wavs/speakers/%s/%d.wav", c.speaker, c.number)
			put(append([]string{fmt.Sprint(i), path, c.speaker, c.text}, strings.Split(c.intent, "|")...)...)
			Write(t, filepath.Join(dir, path), WAV(t, c.sound))
		}
		lines.Flush()
		Write(t, filepath.Join(dir, "data", []string{"train", "valid", "test"}[part]+"_data.csv"), table.Bytes())
	}
}

// SLURP writes SLURP into dir: 60 sentences in 450 recordings, half of them by a headset. All speakers are in all
// parts.
func SLURP(t testing.TB, dir string) {
	t.Helper()
	people := []person{{"ann", 60}, {"bob", 60}, {"cleo", 60}, {"eve", 23}, {"fay", 22}}
	sentences := spokenSentences(t, "en")
	tables := map[string]*bytes.Buffer{"train": {}, "devel": {}, "test": {}}
	metadata := map[string]any{}
	for number := range 60 {
		c, files, speakers := sentences[number%variety], []map[string]any{}, map[string]any{}
		for place, p := range people {
			if number >= p.clips {
				continue
			}
			for _, microphone := range []string{"-headset", ""} {
				name := fmt.Sprintf("audio-%d%s.flac", 1000*place+number, microphone)
				files = append(files, map[string]any{"file": name, "wer": 0, "ent_wer": nil, "status": "correct"})
				speakers[name] = map[string]any{"usrid": p.name, "recid": number, "status": "correct"}
				Write(t, filepath.Join(dir, "audio", "slurp_real", name), flac(c.sound))
			}
		}
		action, rest, _ := strings.Cut(c.intent, "|")
		part := []string{"train", "train", "devel", "train", "test"}[number%5]
		tables[part].Write(append(encodeJSON(t, map[string]any{"slurp_id": number, "sentence": c.text, "scenario": rest,
			"action": action, "intent": strings.ReplaceAll(c.intent, "|", "_"), "recordings": files}), '\n'))
		metadata[fmt.Sprint(number)] = map[string]any{"nlub_id": number, "recordings": speakers}
	}
	for part, table := range tables {
		Write(t, filepath.Join(dir, "dataset", "slurp", part+".jsonl"), table.Bytes())
	}
	Write(t, filepath.Join(dir, "dataset", "slurp", "metadata.json"), encodeJSON(t, metadata))
}

// ITALIC writes ITALIC into dir in its publisher's layout.
func ITALIC(t testing.TB, dir string) {
	t.Helper()
	for part, clips := range strangers.clips(t, "it") {
		var table bytes.Buffer
		for _, c := range clips {
			table.Write(append(encodeJSON(t, map[string]any{"id": c.number, "speaker_id": c.speaker, "utt": c.text,
				"intent": c.intent, "region": "lazio"}), '\n'))
			Write(t, filepath.Join(dir, "recordings", fmt.Sprintf("%d.wav", c.number)), WAV(t, c.sound))
		}
		Write(t, filepath.Join(dir, "hard_speaker_"+[]string{"train", "validation", "test"}[part]+".json"),
			table.Bytes())
	}
}

func encodeJSON(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Write writes a file and creates its parent folders.
func Write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
