package kernelext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// ExercisesVariable is the environment variable that names a file with the user's own exercises. If it is not set,
// [ExercisesFile] in the notebook's folder is read, if it exists.
const (
	ExercisesVariable = "UNLEARNLAB_EXERCISES"
	ExercisesFile     = "exercises.json"
)

// largestExercises is the maximum size of a file of exercises in bytes.
const largestExercises = 1 << 20

// ownExercises returns the exercises in the user's file by name. They replace the laboratory's exercises with the same
// name.
func ownExercises() (map[string]Exercise, error) {
	path := os.Getenv(ExercisesVariable)
	named := path != ""
	if !named {
		path = ExercisesFile
	}
	list, err := ReadExercises(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil, nil
	}
	return byName(list), err
}

// ReadExercises reads a file of exercises written by unlearnlab notebook answer.
func ReadExercises(path string) ([]Exercise, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("exercises: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, largestExercises+1))
	if err == nil && len(data) > largestExercises {
		err = errors.New("more than 1 MB")
	}
	var list []Exercise
	if err == nil {
		list, err = readExercises(data)
	}
	if err != nil {
		return nil, fmt.Errorf("exercises: read %s: %w", path, err)
	}
	return list, nil
}

// AddExercise writes an exercise to a file, where it replaces an exercise with the same name or is appended. It creates
// a missing file.
func AddExercise(path string, e Exercise) error {
	list, err := ReadExercises(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	replaced := false
	for i := range list {
		if list[i].Name == e.Name {
			list[i], replaced = e, true
		}
	}
	if !replaced {
		list = append(list, e)
	}
	return safefile.WriteFile(path, func(w io.Writer) error {
		var text bytes.Buffer
		for i, e := range list {
			line, err := json.Marshal(e)
			if err != nil {
				return err
			}
			fmt.Fprintf(&text, "%s\n  %s", map[bool]string{true: "[", false: ","}[i == 0], line)
		}
		text.WriteString("\n]\n")
		_, err := w.Write(text.Bytes())
		return err
	})
}

// readExercises parses exercises and rejects those without name, salt or hash, because no answer could be checked.
func readExercises(data []byte) ([]Exercise, error) {
	var list []Exercise
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("not a list of exercises: %w", err)
	}
	for i, e := range list {
		if e.Name == "" || e.Salt == "" || len(e.Hash) != 64 {
			return nil, fmt.Errorf("record %d: an exercise needs a name, a salt and a hash; write it with unlearnlab "+
				"notebook answer", i+1)
		}
	}
	return list, nil
}
