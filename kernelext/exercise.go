package kernelext

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// An Exercise is an answer that can be recognised but not read: a salted hash of it.
type Exercise struct {
	Name string `json:"name"` // "statistics/holm"
	// numbers count as right when they are nearer than this to the answer, rounded to a multiple of it; 0 for words
	Grid float64 `json:"grid,omitempty"`
	Salt string  `json:"salt"`
	Hash string  `json:"hash"`
	Hint string  `json:"hint"` // what to think of when the answer is wrong
}

//go:embed exercises.json
var exercisesFile []byte

// exercises holds the exercises of the notebooks by name.
var exercises = sync.OnceValue(func() map[string]Exercise {
	var list []Exercise
	if err := json.Unmarshal(exercisesFile, &list); err != nil {
		panic("kernelext: exercises.json: " + err.Error())
	}
	byName := make(map[string]Exercise, len(list))
	for _, e := range list {
		byName[e.Name] = e
	}
	return byName
})

// Exercises returns the names of the exercises that [Check] knows, sorted.
func Exercises() []string {
	var names []string
	for name := range exercises() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Check says whether the answer to an exercise is right, and gives a hint when it is not. A wrong answer does not fail
// the cell: the notebook goes on. Answers are numbers, words, or true and false.
func Check(name string, answer any) {
	exercise, ok := exercises()[name]
	if !ok {
		fail(fmt.Errorf("check: there is no exercise %q; there are %s", name, strings.Join(Exercises(), ", ")))
		return
	}
	right, err := exercise.Right(answer)
	switch {
	case err != nil:
		box(noticeEdge, fmt.Sprintf("? %s: %v", name, err)).show()
	case right:
		box(successEdge, fmt.Sprintf("✓ %s: right.", name)).show()
	default:
		box(noticeEdge, fmt.Sprintf("✗ %s: not yet. %s", name, exercise.Hint)).show()
	}
}

// NewExercise returns an exercise with a fresh salt. A grid above 0 makes it one for numbers.
func NewExercise(name string, answer any, grid float64, hint string) (Exercise, error) {
	salt := make([]byte, 16)
	rand.Read(salt)
	e := Exercise{Name: name, Grid: grid, Salt: hex.EncodeToString(salt), Hint: hint}
	if grid < 0 || math.IsNaN(grid) || math.IsInf(grid, 0) {
		return e, fmt.Errorf("exercise %q: a grid of %v; give the width within which numbers are equal", name, grid)
	}
	canonical := word(answer)
	if grid > 0 {
		x, err := numeric(answer)
		if err != nil {
			return e, fmt.Errorf("exercise %q: %w", name, err)
		}
		canonical = gridPoint(math.Round(x / grid))
	}
	hash, err := e.hash(canonical)
	e.Hash = hex.EncodeToString(hash)
	return e, err
}

// Right reports whether the answer is the exercise's. The error says that the answer is of the wrong kind.
func (e Exercise) Right(answer any) (bool, error) {
	candidates := []string{word(answer)}
	if e.Grid > 0 {
		x, err := numeric(answer)
		if err != nil {
			return false, err
		}
		// Both neighbours on the grid, so that an answer just across the middle between two points is not wrong.
		candidates = []string{gridPoint(math.Floor(x / e.Grid)), gridPoint(math.Ceil(x / e.Grid))}
	}
	want, err := hex.DecodeString(e.Hash)
	if err != nil {
		return false, fmt.Errorf("its hash cannot be read: %w", err)
	}
	right := false
	for _, candidate := range candidates {
		hash, err := e.hash(candidate)
		if err != nil {
			return false, err
		}
		right = right || subtle.ConstantTimeCompare(hash, want) == 1
	}
	return right, nil
}

// hashRounds makes trying all short answers tedious and a check take a millisecond.
const hashRounds = 4096

func (e Exercise) hash(canonical string) ([]byte, error) {
	return pbkdf2.Key(sha256.New, e.Name+"\x00"+canonical, []byte(e.Salt), hashRounds, sha256.Size)
}

func gridPoint(k float64) string { return strconv.FormatFloat(k+0, 'f', 0, 64) } // +0 turns −0 into 0

// word writes an answer so that case and spacing do not matter.
func word(answer any) string {
	return strings.Join(strings.Fields(strings.ToLower(fmt.Sprint(answer))), " ")
}

func numeric(answer any) (float64, error) {
	value := reflect.ValueOf(answer)
	x := math.NaN()
	switch {
	case !value.IsValid():
	case value.CanFloat():
		x = value.Float()
	case value.CanInt():
		x = float64(value.Int())
	case value.CanUint():
		x = float64(value.Uint())
	case value.Kind() == reflect.String:
		if parsed, err := strconv.ParseFloat(strings.TrimSpace(value.String()), 64); err == nil {
			x = parsed
		}
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("the answer is a number, not %v", answer)
	}
	return x, nil
}
