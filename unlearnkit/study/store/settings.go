package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// settings is the content of settings.json.
type settings struct {
	Data map[string]string `json:"data"`
}

// Data returns the folders of the user's data sets by name. It is empty if none is registered.
func (s *Store) Data() (map[string]string, error) {
	all, err := s.settings()
	return all.Data, err
}

func (s *Store) settings() (settings, error) {
	all := settings{Data: map[string]string{}}
	if !s.made() {
		return all, nil
	}
	path := filepath.Join(s.folder, settingsName)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(content, &all)
	}
	if err != nil {
		return all, fmt.Errorf("read %s: %w; remove the file and import the data again", path,
			safefile.WithoutPath(err))
	}
	return all, nil
}

// SetData stores the folder of a data set in the settings.
func (s *Store) SetData(name, folder string) error {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	held, err := s.lock(context.Background(), settingsName, true)
	if err != nil {
		return err
	}
	defer held.release()
	all, err := s.settings()
	if err != nil {
		return err
	}
	all.Data[name] = absolute
	content, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	if err := writeContent(filepath.Join(s.folder, settingsName), append(content, '\n')); err != nil {
		return s.unwritable(err)
	}
	return nil
}
