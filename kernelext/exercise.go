package kernelext

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

// An Exercise holds a salted hash of its answer, so that the answer can be checked but not read.
type Exercise struct {
	Name string `json:"name"` // "statistics/holm"
	// Grid is the precision of a numeric answer, which is rounded to a multiple of Grid. It is 0 for answers in words.
	Grid float64 `json:"grid,omitempty"`
	// Choices lists the possible answers; it is empty for a free answer.
	Choices []string `json:"choices,omitempty"`
	Salt    string   `json:"salt"`
	Hash    string   `json:"hash"`
	Hint    string   `json:"hint"` // advice after a wrong answer
}

//go:embed exercises.json
var exercisesFile []byte

// exercises holds the exercises of the notebooks by name.
var exercises = sync.OnceValue(func() map[string]Exercise {
	list, err := readExercises(exercisesFile)
	if err != nil {
		panic("kernelext: exercises.json: " + err.Error())
	}
	return byName(list)
})

func byName(list []Exercise) map[string]Exercise {
	named := make(map[string]Exercise, len(list))
	for _, e := range list {
		named[e.Name] = e
	}
	return named
}

// Exercises returns the sorted names of the exercises that [Check] knows. They are from the laboratory's notebooks and
// from a file in the notebook's folder.
func Exercises() ([]string, error) {
	own, err := ownExercises()
	if err != nil {
		return nil, err
	}
	all := maps.Clone(exercises())
	maps.Copy(all, own)
	return slices.Sorted(maps.Keys(all)), nil
}

// checkVariable is the environment variable that decides whether [Check] fails a cell with a wrong answer. Graders such
// as nbgrader, for which every cell without an error is solved, set it to checkFails.
const (
	checkVariable = "UNLEARNLAB_CHECK"
	checkFails    = "fail"
)

// Check shows whether the answer to an exercise is right. A wrong answer gets a hint; a placeholder gets "not answered
// yet". Neither fails the cell, so the notebook goes on, but see checkVariable. Answers are numbers, words, or true
// and false.
func Check(name string, answer any) {
	own, err := ownExercises()
	if err != nil {
		fail(fmt.Errorf("check: %w", err))
		return
	}
	exercise, ok := own[name]
	if !ok {
		exercise, ok = exercises()[name]
	}
	if !ok {
		names, _ := Exercises()
		if near := spelling.Nearest(name, names); near != "" {
			fail(fmt.Errorf("check: there is no exercise %q; do you mean %q?", name, near))
			return
		}
		fail(fmt.Errorf("check: there is no exercise %q; there are %s", name, strings.Join(names, ", ")))
		return
	}
	right, comment := exercise.judge(answer)
	comment.show()
	if !right && os.Getenv(checkVariable) == checkFails {
		fail(fmt.Errorf("check: %s is not solved", name))
	}
}

// The first character that [Check] shows. Programs that read a notebook's outputs recognise the result by it.
const (
	signRight      = "✓"
	signWrong      = "✗"
	signUnread     = "?" // an answer of the wrong kind
	signUnanswered = "–"
)

// judge reports whether an answer is right, and returns the box with a comment on it.
func (e Exercise) judge(answer any) (right bool, comment display) {
	right, err := e.Right(answer)
	switch {
	case right:
		return true, box(successEdge, fmt.Sprintf("%s %s: right.", signRight, e.Name))
	case isBlank(answer) && !e.isWhole(answer):
		return false, box(quietEdge, fmt.Sprintf("%s %s: not answered yet.%s", signUnanswered, e.Name, e.prompt()))
	case err != nil:
		return false, box(noticeEdge, fmt.Sprintf("%s %s: %v", signUnread, e.Name, err))
	case e.isWhole(answer):
		return false, box(noticeEdge, fmt.Sprintf("%s %s: not yet. The answer is the whole number %v: in Go 1/4 is 0, "+
			"because both are whole; write 1.0/4. %s", signWrong, e.Name, answer, e.Hint))
	}
	return false, box(noticeEdge, fmt.Sprintf("%s %s: not yet. %s", signWrong, e.Name, e.Hint))
}

// NewExercise returns an exercise with a fresh salt. A grid above 0 makes the answer numeric. If there are choices, the
// answer must be one of them.
func NewExercise(name string, answer any, grid float64, hint string, choices ...string) (Exercise, error) {
	salt := make([]byte, 16)
	rand.Read(salt)
	e := Exercise{Name: name, Grid: grid, Salt: hex.EncodeToString(salt), Hint: hint}
	for _, choice := range choices {
		e.Choices = append(e.Choices, normalize(choice))
	}
	if grid < 0 || math.IsNaN(grid) || math.IsInf(grid, 0) {
		return e, fmt.Errorf("exercise %q: a grid of %v; give the distance below which two numbers count as equal",
			name, grid)
	}
	canonical := normalize(answer)
	if grid > 0 {
		x, err := numeric(answer)
		if err != nil {
			return e, fmt.Errorf("exercise %q: %w", name, err)
		}
		canonical = gridPoint(math.Round(x / grid))
	}
	if len(choices) > 0 && (grid > 0 || !slices.Contains(e.Choices, canonical)) {
		return e, fmt.Errorf("exercise %q: %v is not among the words %s", name, answer, strings.Join(choices, ", "))
	}
	hash, err := e.hash(canonical)
	e.Hash = hex.EncodeToString(hash)
	return e, err
}

// hashRounds makes it tedious to try all short answers, while a check takes a millisecond.
const hashRounds = 4096

func (e Exercise) hash(canonical string) ([]byte, error) {
	return pbkdf2.Key(sha256.New, e.Name+"\x00"+canonical, []byte(e.Salt), hashRounds, sha256.Size)
}

func gridPoint(k float64) string { return strconv.FormatFloat(k+0, 'f', 0, 64) } // +0 turns −0 into 0
