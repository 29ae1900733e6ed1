package tokenize

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Load reads the tokenizer of a model's folder, or a file of one: tokenizer.json, vocab.json with merges.txt beside it
// (CLIP's), tokenizer.model or, as OpenCLIP packs it, a .txt or .txt.gz of merges. In a folder the first of these that
// exists is read.
func Load(path string) (Tokenizer, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return loadFile(path)
	}
	if file := held(path); file != "" {
		return loadFile(file)
	}
	return nil, fmt.Errorf("%s holds no tokenizer.json, vocab.json or tokenizer.model", path)
}

// Holds tells whether a folder has a tokenizer that [Load] reads.
func Holds(folder string) bool { return held(folder) != "" }

// held is the file of a folder's tokenizer, "" if there is none.
func held(folder string) string {
	for _, name := range []string{"tokenizer.json", "vocab.json", "tokenizer.model"} {
		file := filepath.Join(folder, name)
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			return file
		}
	}
	return ""
}

// loadFile keeps a failed reader's nil pointer from becoming a Tokenizer that is not nil.
func loadFile(path string) (t Tokenizer, err error) {
	switch {
	case filepath.Base(path) == "vocab.json":
		t, err = loadCLIPVocabulary(path)
	case strings.HasSuffix(path, ".json"):
		t, err = LoadJSON(path)
	case strings.HasSuffix(path, ".model"):
		t, err = LoadSentencePiece(path)
	case strings.HasSuffix(path, ".txt"), strings.HasSuffix(path, ".txt.gz"):
		t, err = LoadCLIP(path)
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
	pipeline, err := ParseCLIPVocabulary(vocabulary, merges)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return pipeline, nil
}
