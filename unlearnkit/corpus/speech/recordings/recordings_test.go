package recordings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func ExampleVoices() {
	voices, err := Voices("en")
	if err != nil {
		fmt.Println(err)
		return
	}
	clip := voices[0].Clips[0]
	fmt.Println(len(voices), voices[0].Name, clip.Text, clip.Intent, len(voices[0].Samples(clip)) == clip.Length)
	_, err = Voices("nl")
	fmt.Println(err)
	// Output:
	// 16 slt Turn on the lights. activate|lights|none true
	// no recordings in the language "nl"; there are some in de, en, fr, it
}

func TestFiles_InTable(t *testing.T) {
	listed := map[string]bool{}
	for _, line := range table("voices.csv") {
		content, err := files.ReadFile(line["file"])
		if err != nil {
			t.Error(err)
			continue
		}
		listed[line["file"]] = true
		sum := sha256.Sum256(content)
		if has := hex.EncodeToString(sum[:]); has != line["sha256"] {
			t.Errorf("%s has the SHA-256 %s, the table says %s", line["file"], has, line["sha256"])
		}
		if samples := decode(line["file"]); len(samples) != whole(line["samples"]) {
			t.Errorf("%s has %d samples, the table says %s", line["file"], len(samples), line["samples"])
		}
	}
	total := int64(0)
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".flac" {
			return err
		}
		info, err := entry.Info()
		total += info.Size()
		if !listed[path] {
			t.Errorf("%s is not in the table", path)
		}
		return err
	})
	if err != nil || total > 16e6 {
		t.Errorf("%d bytes in all, %v", total, err)
	}
}

func TestClips_FillFiles(t *testing.T) {
	for _, language := range languages() {
		voices, err := Voices(language)
		if err != nil {
			t.Fatal(err)
		}
		for _, voice := range voices {
			end := 0
			for _, clip := range voice.Clips {
				seconds := float64(clip.Length) / Rate
				if clip.Start != end || seconds < .5 || seconds > 4 {
					t.Errorf("%s, %s, %q: from %d after %d, %.2f s", language, voice.Name, clip.Text, clip.Start, end,
						seconds)
				}
				end += clip.Length
				loudest := 0
				for _, x := range voice.Samples(clip) {
					loudest = max(loudest, int(x), -int(x))
				}
				if loudest < 40 || loudest > 127 {
					t.Errorf("%s, %s, %q: the loudest sample is %d", language, voice.Name, clip.Text, loudest)
				}
			}
			if all := len(voice.samples()); all != end {
				t.Errorf("%s, %s: clips end at %d of %d", language, voice.Name, end, all)
			}
		}
	}
}

// Every intent has several voices for each wording.
func TestIntents_SeveralVoices(t *testing.T) {
	intents := map[string]int{"en": 31, "it": 12, "de": 12, "fr": 12}
	for language, number := range intents {
		voices, err := Voices(language)
		if err != nil || len(voices) != 16 {
			t.Fatalf("got %v, %v, want 16 voices", len(voices), err)
		}
		said := map[string]map[string]int{}
		meant := map[string]string{}
		for _, voice := range voices {
			texts := map[string]bool{}
			for _, clip := range voice.Clips {
				if said[clip.Intent] == nil {
					said[clip.Intent] = map[string]int{}
				}
				said[clip.Intent][clip.Text]++
				if other := meant[clip.Text]; other != "" && other != clip.Intent || texts[clip.Text] {
					t.Errorf("%s, %s: %q means %s and %s, or is said twice", language, voice.Name, clip.Text,
						clip.Intent, other)
				}
				meant[clip.Text], texts[clip.Text] = clip.Intent, true
			}
			if len(texts) != 50 {
				t.Errorf("%s, %s: %d clips", language, voice.Name, len(texts))
			}
		}
		if len(said) != number {
			t.Errorf("%s: %d intents", language, len(said))
		}
		for intent, texts := range said {
			for text, times := range texts {
				if len(texts) < 4 || times < 5 {
					t.Errorf("%s, %s: %d ways, %q by %d voices", language, intent, len(texts), text, times)
				}
			}
		}
	}
}

func TestIntents_English(t *testing.T) {
	for _, line := range table("clips.csv") {
		parts := []string{line["action"], line["object"], line["location"]}
		if line["language"] == "en" && strings.Join(parts, "|") != line["intent"] ||
			line["language"] != "en" && slices.ContainsFunc(parts, func(part string) bool { return part != "" }) {
			t.Fatalf("%v", line)
		}
	}
}
