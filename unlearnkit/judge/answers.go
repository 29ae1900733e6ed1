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

// Answers is a file of answers, one a line, that only grows. Each reaches the disk before it counts. A line that a
// killed run left unfinished is passed over, and its question is asked again. It may be used by several goroutines;
// two processes may add to one file, though each then asks for what the other has not had when it began.
type Answers struct {
	Damaged int // lines that were passed over when the file was opened

	path  string
	mu    sync.Mutex
	file  *os.File // nil until something is added
	known map[asked]string
}

// asked is a question for the first, second … time.
type asked struct {
	key     string
	attempt int
}

// line is how an answer stands in the file.
type line struct {
	Key     string  `json:"key"`
	Attempt int     `json:"attempt"`
	Model   string  `json:"model"`
	Answer  *string `json:"answer"`
}

// longestLine bounds a line: an answer in which every byte is escaped.
const longestLine = 6*longestAnswer + 1<<12

// Key is what an answer is kept under: a hash of the model's name and of what it was asked.
func Key(model, system, user string) string {
	h := sha256.New()
	for _, part := range []string{model, system, user} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// OpenAnswers reads a file of answers. It need not be there yet; it is made with the first answer.
func OpenAnswers(path string) (*Answers, error) {
	a := &Answers{path: path, known: map[asked]string{}}
	err := safefile.EachLine(path, longestLine, func(text []byte) error {
		var l line
		if json.Unmarshal(text, &l) != nil || l.Key == "" || l.Attempt < 1 || l.Answer == nil {
			a.Damaged++
			return nil
		}
		if at := (asked{l.Key, l.Attempt}); !a.has(at) {
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

func (a *Answers) has(at asked) bool {
	_, is := a.known[at]
	return is
}

// Len is how many answers there are.
func (a *Answers) Len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.known)
}

// Get is the answer to a question that was asked for the attempt-th time, from 1.
func (a *Answers) Get(key string, attempt int) (answer string, is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, is = a.known[asked{key, attempt}]
	return answer, is
}

// Put adds an answer. Once it returns without an error, the answer is on the disk.
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
	a.known[asked{key, attempt}] = answer
	return nil
}

// open opens the file to append to it. An unfinished line is ended, so that what follows is not part of it.
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

// Close gives the file back.
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
