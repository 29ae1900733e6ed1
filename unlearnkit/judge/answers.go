package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Answers is an append-only file of answers, one per line. Each answer is synced to the disk before it is used. If a
// killed process left an incomplete line, the line is skipped and the question is asked again. Several goroutines may
// use Answers. Two processes may append to the same file, but each ignores the other's new answers.
type Answers struct {
	Damaged int // number of lines skipped when the file was opened

	path  string
	mu    sync.Mutex
	file  *os.File // opened when the first answer is added
	known map[question]string
}

// question identifies a request for a prompt. attempt counts the requests for the same prompt from 1.
type question struct {
	key     string
	attempt int
}

// line is an answer as the file stores it.
type line struct {
	Key     string  `json:"key"`
	Attempt int     `json:"attempt"`
	Model   string  `json:"model"`
	Answer  *string `json:"answer"`
}

// longestLine is the maximum length of a line: the longest answer with every byte escaped.
const longestLine = 6*longestAnswer + 1<<12

// Key returns the key under which answers are stored: a hash of the model's name and the prompts.
func Key(model, system, user string) string {
	h := sha256.New()
	for _, part := range []string{model, system, user} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// OpenAnswers reads a file of answers. If the file does not exist, it is created with the first answer.
func OpenAnswers(path string) (*Answers, error) {
	a := &Answers{path: path, known: map[question]string{}}
	err := safefile.EachLine(path, longestLine, func(text []byte) error {
		var l line
		if json.Unmarshal(text, &l) != nil || l.Key == "" || l.Attempt < 1 || l.Answer == nil {
			a.Damaged++
			return nil
		}
		if at := (question{l.Key, l.Attempt}); !a.has(at) {
			a.known[at] = *l.Answer
		}
		return nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return a, nil
	case err != nil:
		return nil, err
	case len(a.known) == 0 && a.Damaged > 0:
		return nil, fmt.Errorf("read %s: none of its lines is a judge's answer; name another file", path)
	}
	return a, nil
}

func (a *Answers) has(at question) bool {
	_, is := a.known[at]
	return is
}

// Len returns the number of stored answers.
func (a *Answers) Len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.known)
}

// Get returns the stored answer to a request. attempt counts the requests for the same key from 1.
func (a *Answers) Get(key string, attempt int) (answer string, is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, is = a.known[question{key, attempt}]
	return answer, is
}

// Put stores an answer. If it returns nil, the answer has been written to the disk.
func (a *Answers) Put(key string, attempt int, model, answer string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	text, err := json.Marshal(line{key, attempt, model, &answer})
	if err != nil {
		return err
	}
	if a.file == nil {
		if err := a.open(); err != nil {
			return fmt.Errorf("write %s: %w", a.path, safefile.WithoutPath(err))
		}
	}
	if _, err = a.file.Write(append(text, '\n')); err == nil {
		err = a.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", a.path, safefile.WithoutPath(err))
	}
	a.known[question{key, attempt}] = answer
	return nil
}

// open opens the file for appending. If the last line is incomplete, it adds a line break, so that the next answer
// starts on a new line.
func (a *Answers) open() error {
	file, err := os.OpenFile(a.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err = file.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, err = file.Write([]byte("\n"))
		}
	}
	if err != nil {
		file.Close()
		return err
	}
	a.file = file
	return nil
}

// Close closes the file.
func (a *Answers) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file = nil
	return err
}
