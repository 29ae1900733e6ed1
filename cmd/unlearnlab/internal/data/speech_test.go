package data

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/internal/testkit/download/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
)

// importedSpeech and checkedSpeech hold what import and check print about data sets of spoken commands.
type (
	importedSpeech struct {
		imported
		Reports []speechfolder.Report `json:"reports"`
	}
	checkedSpeech struct {
		checked
		Data []speechfolder.Report `json:"data"`
	}
)

func TestImportSpeech_FoundAgain(t *testing.T) {
	laboratory(t)
	dir := t.TempDir()
	speechdownload.Fluent(t, filepath.Join(dir, "fluent_speech_commands_dataset"))
	speechdownload.SpeechMASSIVE(t, dir, "de-DE")
	done := object[importedSpeech](t, cli.ExitDone, "data", "import", "unslu", dir, "--json")
	if !done.OK || len(done.Reports) != 2 ||
		done.Registered["speech/fsc"] != filepath.Join(dir, "fluent_speech_commands_dataset") ||
		done.Registered["speech/massive-de-DE"] != filepath.Join(dir, "Speech-MASSIVE", "de-DE") {
		t.Errorf(`got %+v, want OK true, 2 Reports, Registered["speech/fsc"] %v, Registered["speech/massive-de-DE"] %v`,
			done, filepath.Join(dir, "fluent_speech_commands_dataset"), filepath.Join(dir, "Speech-MASSIVE", "de-DE"))
	}
	listed := object[stored](t, cli.ExitDone, "data", "list", "--json")
	if len(listed.Data) != 2 || listed.Data[0].Name != "speech/fsc" || !listed.Data[0].There {
		t.Errorf(`got %+v, want length 2, [0].Name "speech/fsc", [0].There true`, listed.Data)
	}
	found := object[checkedSpeech](t, cli.ExitDone, "data", "check", "--json", "--deep")
	if !found.OK || len(found.Data) != 2 || found.Data[0].Heard != 358 {
		t.Errorf("got %+v, want OK true, 2 Data, Data[0].Heard 358", found)
	}
	code, stdout, stderr := cmd.Run("data", "import", "unslu", filepath.Join(dir, "Speech-MASSIVE"))
	for _, want := range []string{"Speech-MASSIVE de-DE, German, in ", "  as published ",
		"  half of validation for the test ", "3 speakers with more than 100 clips of train can be drawn",
		"without replacement (seed 42)",
		"registered as speech/massive-de-DE\n"} {
		if code != cli.ExitDone || !strings.Contains(stdout, want) {
			t.Errorf("exit %d, no %q\n%s%s", code, want, stdout, stderr)
		}
	}
}

func TestImportSpeech_Incomplete(t *testing.T) {
	home, _ := laboratory(t)
	dir := t.TempDir()
	speechdownload.ITALIC(t, dir)
	if err := os.RemoveAll(filepath.Join(dir, "recordings")); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{
		dir: "error: read " + filepath.Join(dir, "recordings", "0.wav") +
			": the recording is missing, and 357 others of 358 are too; download the sound again\n",
		t.TempDir():                   "error: read ",
		filepath.Join(dir, "nowhere"): "error: read " + filepath.Join(dir, "nowhere") + ": no such file or directory\n",
	} {
		code, stdout, stderr := cmd.Run("data", "import", "unslu", folder)
		if code != cli.ExitCheck || stderr != "" || !strings.Contains(stdout, want) ||
			!strings.HasSuffix(stdout, "not registered: repair the errors and import it again\n") {
			t.Errorf("exit %d\n%s%s", code, stdout, stderr)
		}
	}
	entries, err := os.ReadDir(home)
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "settings.json" }) {
		t.Errorf("%v, %v", entries, err)
	}
	if listed := object[stored](t, cli.ExitDone, "data", "list", "--json"); len(listed.Data) != 0 {
		t.Errorf("got %+v, want length 0", listed.Data)
	}
}
