package speechfolder

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/download/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

// The example entry in SLURP's README (github.com/pswietojanski/slurp, CC BY 4.0), without some annotations of words,
// and the README's excerpt from the entry's metadata.
const (
	readmeEntry = `{"slurp_id": 4489, "sentence": "wake me up at eight o'clock", ` +
		`"sentence_annotation": "wake me up at [time : eight] o'clock", "intent": "alarm_set", "action": "set", ` +
		`"tokens": [{"surface": "wake", "id": 0, "lemma": "wake", "pos": "VB"}], "scenario": "alarm", "recordings": [` +
		`{"file": "audio-1502099775-headset.flac", "wer": 0, "ent_wer": 0, "status": "correct"}, ` +
		`{"file": "audio-1502099775.flac", "wer": 0, "ent_wer": 0, "status": "correct"}, ` +
		`{"file": "audio--1504194195-headset.flac", "wer": 0, "ent_wer": 0, "status": "correct"}, ` +
		`{"file": "audio--1504194195.flac", "wer": 0, "ent_wer": 0, "status": "correct"}, ` +
		`{"file": "audio-1492784000-headset.flac", "wer": 0, "ent_wer": 0, "status": "correct"}, ` +
		`{"file": "audio-1492784000.flac", "wer": 0, "ent_wer": 0, "status": "correct"}], ` +
		`"entities": [{"span": [4], "type": "time"}]}`
	readmeMetadata = `{"4489": {"nlub_id": 5027, "recordings": {
		"audio--1504194195-headset.flac": {"ansid": 17555, "recid": 50412, "status": "correct", "usrid": "FO-488"},
		"audio--1504194195.flac": {"ansid": 17555, "recid": 50412, "status": "correct", "usrid": "FO-488"},
		"audio-1492784000-headset.flac": {"ansid": 17555, "recid": 20567, "status": "correct", "usrid": "UNK-323"},
		"audio-1492784000.flac": {"ansid": 17555, "recid": 20567, "status": "correct", "usrid": "UNK-323"},
		"audio-1502099775-headset.flac": {"ansid": 17555, "recid": 43759, "status": "correct", "usrid": "FO-460"},
		"audio-1502099775.flac": {"ansid": 17555, "recid": 43759, "status": "correct", "usrid": "FO-460"}},
		"sentence_normalised": "wake me up at eight o'clock", "status": "correct", "userid_amt": "682"}}`
)

func TestSLURP_ReadmeEntry(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"train.jsonl": readmeEntry + "\n", "devel.jsonl": "", "test.jsonl": "",
		"metadata.json": readmeMetadata} {
		speechdownload.Write(t, filepath.Join(dir, "dataset", "slurp", name), []byte(content))
	}
	table, err := read(dir, SLURP)
	if err != nil {
		t.Fatal(err)
	}
	said := func(file, speaker, microphone string) speech.Utterance {
		return speech.Utterance{ID: file, Speaker: speaker, Text: "wake me up at eight o'clock", Intent: "alarm_set",
			Microphone: microphone}
	}
	want := []speech.Utterance{
		said("audio-1502099775-headset.flac", "FO-460", "headset"),
		said("audio-1502099775.flac", "FO-460", "far field"),
		said("audio--1504194195-headset.flac", "FO-488", "headset"),
		said("audio--1504194195.flac", "FO-488", "far field"),
		said("audio-1492784000-headset.flac", "UNK-323", "headset"),
		said("audio-1492784000.flac", "UNK-323", "far field"),
	}
	if !slices.Equal(table.set.Train, want) {
		t.Errorf("got %+v, want %v", table.set.Train, want)
	}
	if at := table.places["audio--1504194195.flac"]; at != file(filepath.Join(dir, "audio", "slurp_real",
		"audio--1504194195.flac")) {
		t.Errorf("got %+v, want %v", at, file(filepath.Join(dir, "audio", "slurp_real", "audio--1504194195.flac")))
	}
}
