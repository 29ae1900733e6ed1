package language_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/languagetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

func TestSaveDecoder(t *testing.T) {
	from, to := languagetest.Folder(t, "llava"), filepath.Join(t.TempDir(), "llama")
	if err := language.SaveDecoder(from, to); err != nil {
		t.Fatal(err)
	}
	whole, decoder := opened(t, from), opened(t, to)
	if whole.Text != decoder.Text {
		t.Errorf("got the configuration %+v, want %+v", decoder.Text, whole.Text)
	}
	want, err := whole.Tokens("The name is Ann")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decoder.Tokens("The name is Ann"); err != nil || !slices.Equal(got, want) {
		t.Errorf("got the tokens %v, %v; want %v", got, err, want)
	}
	all, err := safefile.Open(filepath.Join(from, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	own, err := safefile.Open(filepath.Join(to, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	for _, name := range own.Names() {
		got, _ := own.Bytes(name)
		if want, err := all.Bytes("language_model." + name); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s is not the tensor of the LLaVA: %v", name, err)
		}
	}
}

func TestSaveDecoder_Llama(t *testing.T) {
	to := filepath.Join(t.TempDir(), "llama")
	err := language.SaveDecoder(languagetest.Folder(t, "llama"), to)
	if err == nil || !strings.HasSuffix(err.Error(), "no tensor is named language_model.…; the model of a LLaVA was expected") {
		t.Errorf("got the error %v", err)
	}
}
