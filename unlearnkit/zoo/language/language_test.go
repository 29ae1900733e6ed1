package language_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/languagetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

func opened(t *testing.T, dir string) *language.Model {
	t.Helper()
	m, err := language.Open(devicetest.Open(t), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The IDs are from transformers, written by testdata/gen_language.py.
func TestTokens_TextAndContinuation(t *testing.T) {
	content, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var expected struct {
		Cases []struct {
			Text, Continuation string
			Prompt, Next       []int32
		}
	}
	if err := json.Unmarshal(content, &expected); err != nil || len(expected.Cases) == 0 {
		t.Fatal(err)
	}
	m := opened(t, languagetest.Folder(t, "llava"))
	for _, c := range expected.Cases {
		prompt, next, err := m.Continue(c.Text, c.Continuation)
		if err != nil || !slices.Equal(prompt, c.Prompt) || !slices.Equal(next, c.Next) {
			t.Errorf("%q + %q: %v + %v, transformers gives %v + %v; %v", c.Text, c.Continuation, prompt, next, c.Prompt,
				c.Next, err)
		}
	}
}

func TestJoin_Space(t *testing.T) {
	for _, test := range []struct{ text, continuation, want string }{
		{"The name is", "Ann", "The name is Ann"},
		{"The name is ", "Ann", "The name is Ann"},
		{"The name is  ", "Ann", "The name is Ann"},
		{"The name is\n", "Ann", "The name is\nAnn"},
		{"The name is", " Ann", "The name is Ann"},
		{"", "Ann", "Ann"},
	} {
		if got := language.Join(test.text, test.continuation); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// A tokenizer without the mark encodes the texts before and after it separately, each with a space at the start.
func TestTokens_ImageMark(t *testing.T) {
	dir := languagetest.Folder(t, "llava")
	path := filepath.Join(dir, "tokenizer.json")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "tokenizer.json", strings.ReplaceAll(string(content), "<image>", "<other>"))
	m := opened(t, dir)
	got, err := m.Tokens("a<image>b")
	if want := []int32{1, 29, 3, 57, 29, 4}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if expanded, err := m.Expand(got); err != nil || len(expanded) != len(got)+3 {
		t.Errorf("got %v, %v, want %v expanded", expanded, err, len(got)+3)
	}
}

func TestTokens_SentencePieceStart(t *testing.T) {
	dir := languagetest.Folder(t, "llama")
	content, err := os.ReadFile("../../tokenize/testdata/sp_bpe.model")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "tokenizer.json")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "tokenizer.model", string(content))
	with, err := opened(t, dir).Tokens("")
	if err != nil || !slices.Equal(with, []int32{1}) {
		t.Errorf("got %v, %v, want with %v", with, err, []int32{1})
	}
	write(t, dir, "tokenizer_config.json", `{"add_bos_token": false}`)
	if without, err := opened(t, dir).Tokens(""); err != nil || len(without) != 0 {
		t.Errorf("got %v, %v, want 0 without", without, err)
	}
}

func TestPixels_Processor(t *testing.T) {
	picture := safefile.Image{Width: 30, Height: 20, Pix: make([]byte, 3*30*20)}
	for i := range picture.Pix {
		picture.Pix[i] = byte(7 * i)
	}
	path := filepath.Join(t.TempDir(), "a.png")
	if err := safefile.WritePNG(path, &picture); err != nil {
		t.Fatal(err)
	}
	image := preprocess.Image{Width: 30, Height: 20, Pixels: picture.Pix}
	padded := preprocess.PaddedLLaVA(10)
	padded.Mean = [3]float32{.5, .5, .5}
	for name, test := range map[string]struct {
		file, text string
		want       preprocess.Transform
	}{
		"no file": {"", "", preprocess.CLIPImageProcessor(10)},
		"padded": {"preprocessor_config.json", `{"do_pad": true, "size": {"shortest_edge": 10}, "crop_size":
			{"height": 10, "width": 10}, "resample": 3, "image_mean": [0.5, 0.5, 0.5]}`, padded},
		"stretched": {"processor_config.json", `{"image_processor": {"size": {"height": 10, "width": 10}}}`,
			func() preprocess.Transform {
				t := preprocess.CLIPImageProcessor(10)
				t.Size.Shorter, t.Size.Width, t.Size.Height = 0, 10, 10
				return t
			}()},
	} {
		dir := languagetest.Folder(t, "llava")
		if test.file != "" {
			write(t, dir, test.file, test.text)
		}
		got, err := opened(t, dir).Pixels(path)
		if want, _, _ := test.want.Apply(image); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: other pixels; %v", name, err)
		}
	}
}

func TestOpen_BadFolders(t *testing.T) {
	d := devicetest.Open(t)
	for _, test := range []struct {
		change func(dir string)
		says   string
	}{
		{func(dir string) { os.Remove(filepath.Join(dir, "tokenizer.json")) }, "holds no tokenizer.json"},
		{func(dir string) { write(t, dir, "preprocessor_config.json", `{"image_std": [1, 0, 1]}`) }, "image_std has 0"},
		{func(dir string) { write(t, dir, "preprocessor_config.json", `{"image_mean": [1]}`) }, "has 1 numbers, not 3"},
		{func(dir string) { write(t, dir, "preprocessor_config.json", `{"do_resize": false}`) }, "do_resize is false"},
		{func(dir string) { write(t, dir, "preprocessor_config.json", `{"resample": 9}`) }, "resample is 9"},
		{func(dir string) { write(t, dir, "preprocessor_config.json", `{"size": {"height": 1, "width": 2}}`) },
			"a size of 2 × 1"},
		{func(dir string) { write(t, dir, "preprocessor_config.json", `{`) }, "preprocessor_config.json"},
		{func(dir string) { write(t, dir, "config.json", `{"model_type": "clip"}`) }, "read"},
	} {
		dir := languagetest.Folder(t, "llava")
		test.change(dir)
		if _, err := language.Open(d, dir, ""); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
	if _, err := language.Open(d, "../clip/testdata/text", ""); err == nil ||
		!strings.Contains(err.Error(), "a language model was expected") {
		t.Errorf(`got the error %v, want one with "a language model was expected"`, err)
	}
}

func TestInputs_Refused(t *testing.T) {
	sees, blind := opened(t, languagetest.Folder(t, "llava")), opened(t, languagetest.Folder(t, "llama"))
	if _, err := sees.Tokens("<image> and <image>"); err == nil || !strings.Contains(err.Error(), "2 times") {
		t.Error(err)
	}
	if _, err := blind.Tokens("<image>"); err == nil || !strings.Contains(err.Error(), "sees no images") {
		t.Error(err)
	}
	if _, err := blind.Pixels("a.png"); err == nil || !strings.Contains(err.Error(), "the model sees none") {
		t.Error(err)
	}
	if err := sees.Fits(make([]int32, 65)); err == nil || !strings.Contains(err.Error(), "65 tokens") {
		t.Error(err)
	}
}

func TestShow_Tokens(t *testing.T) {
	m := opened(t, languagetest.Folder(t, "llava"))
	ids, err := m.Tokens("<image>\nthe name")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, id := range append(ids, 29) {
		shown = append(shown, m.Token(id))
	}
	if want := []string{"<s>", "<image>", `\n`, "the", "name", "(space)"}; !slices.Equal(shown, want) {
		t.Errorf("%q, want %q", shown, want)
	}
}
