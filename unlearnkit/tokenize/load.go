package tokenize

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Load reads a tokenizer's file, or the first of tokenizer.json, vocab.json and tokenizer.model in a model's folder.
// CLIP's vocab.json needs merges.txt next to it. A .txt or .txt.gz is a list of merges in OpenCLIP's format.
func Load(path string) (Tokenizer, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return loadFile(path)
	}
	if file := tokenizerFile(path); file != "" {
		return loadFile(file)
	}
	return nil, fmt.Errorf("%s holds no tokenizer.json, vocab.json or tokenizer.model", path)
}

// Holds reports whether a folder has a tokenizer that [Load] can read.
func Holds(folder string) bool { return tokenizerFile(folder) != "" }

// tokenizerFile returns the path of a folder's tokenizer, or "".
func tokenizerFile(folder string) string {
	for _, name := range []string{"tokenizer.json", "vocab.json", "tokenizer.model"} {
		file := filepath.Join(folder, name)
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			return file
		}
	}
	return ""
}

// loadFile loads a tokenizer's file. On failure it returns a nil Tokenizer instead of a typed nil pointer.
func loadFile(path string) (t Tokenizer, err error) {
	switch {
	case filepath.Base(path) == "vocab.json":
		t, err = loadCLIPVocabulary(path)
	case strings.HasSuffix(path, ".json"):
		t, err = LoadJSON(path)
	case strings.HasSuffix(path, ".model"):
		t, err = loadSentencePiece(path)
	case strings.HasSuffix(path, ".txt"), strings.HasSuffix(path, ".txt.gz"):
		t, err = loadCLIP(path)
	default:
		err = fmt.Errorf("read %s: the name of a tokenizer's file ends in .json, .model, .txt or .txt.gz", path)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func loadCLIPVocabulary(path string) (*Pipeline, error) {
	vocabulary, err := readFile(path)
	if err != nil {
		return nil, err
	}
	merges, err := readFile(filepath.Join(filepath.Dir(path), "merges.txt"))
	if err != nil {
		return nil, err
	}
	pipeline, err := parseCLIPVocabulary(vocabulary, merges)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return pipeline, nil
}
