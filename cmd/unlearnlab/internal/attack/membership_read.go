package attack

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/membership"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// examplesFile is the content of a file of examples.
type examplesFile struct {
	values        []float64
	groups, names []string // groups and names of examples; nil if not requested
}

// read reads the files of the attack. Without --shadow, shadows is nil.
func (f membershipFlags) read() (s membership.Sample, shadows *membership.Shadows, err error) {
	members, err := f.examples(f.members)
	if err != nil {
		return s, nil, err
	}
	others, err := f.examples(f.nonMembers)
	if err != nil {
		return s, nil, err
	}
	s = membership.Sample{Members: members.values, NonMembers: others.values, MemberGroups: members.groups,
		NonMemberGroups: others.groups}
	if f.scores {
		s.Kind = membership.Scores
	}
	if f.shadow == "" {
		return s, nil, nil
	}
	places, err := f.places(members, others)
	if err != nil {
		return s, nil, err
	}
	shadows, err = readShadows(f.shadow, places)
	return s, shadows, err
}

func (f membershipFlags) examples(path string) (e examplesFile, err error) {
	column := f.column
	if column == "" {
		if column, err = f.onlyColumn(path); err != nil {
			return e, err
		}
	}
	frame, err := safefile.ReadNumbers(path, column)
	if err != nil {
		return e, err
	}
	e.values = frame.Columns[0].Values
	for row, value := range e.values {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return e, fmt.Errorf("read %s: row %d, column %q: the value is missing or not finite; remove the row",
				path, row+1, column)
		}
	}
	if f.group != "" {
		if e.groups, err = wordsOf(path, f.group); err != nil {
			return e, err
		}
	}
	if f.example != "" {
		e.names, err = wordsOf(path, f.example)
	}
	return e, err
}

// onlyColumn returns the name of the only column that can hold the losses.
func (f membershipFlags) onlyColumn(path string) (string, error) {
	frame, err := safefile.ReadWords(path)
	if err != nil {
		return "", err
	}
	var names []string
	for _, column := range frame.Columns {
		if column.Name != f.group && column.Name != f.example {
			names = append(names, column.Name)
		}
	}
	if len(names) != 1 {
		return "", cli.Usagef("%s has %d columns that may hold the losses; name one with --column", path, len(names))
	}
	return names[0], nil
}

// wordsOf reads a column in which no value may be missing.
func wordsOf(path, column string) ([]string, error) {
	frame, err := safefile.ReadWords(path, column)
	if err != nil {
		return nil, err
	}
	words := frame.Columns[0].Texts
	if row := slices.Index(words, ""); row >= 0 {
		return nil, fmt.Errorf("read %s: row %d, column %q: the value is missing; remove the row", path, row+1,
			column)
	}
	return words, nil
}

// places maps the names of the examples to their indices, members first. Without --example, the names are the indices.
func (f membershipFlags) places(members, others examplesFile) (map[string]int, error) {
	places := map[string]int{}
	if f.example == "" {
		for i := range len(members.values) + len(others.values) {
			places[strconv.Itoa(i)] = i
		}
		return places, nil
	}
	for i, name := range slices.Concat(members.names, others.names) {
		if _, met := places[name]; met {
			return nil, fmt.Errorf("two examples of %s and %s are named %.40q; give each its own name", f.members,
				f.nonMembers, name)
		}
		places[name] = i
	}
	return places, nil
}

// readShadows reads the shadow models' losses; places maps the names of the examples to their indices.
func readShadows(path string, places map[string]int) (*membership.Shadows, error) {
	examples, err := wordsOf(path, "example")
	if err != nil {
		return nil, err
	}
	models, err := wordsOf(path, "shadow")
	if err != nil {
		return nil, err
	}
	frame, err := safefile.ReadNumbers(path, "member", "loss")
	if err != nil {
		return nil, err
	}
	member, losses := frame.Columns[0].Values, frame.Columns[1].Values
	s := &membership.Shadows{With: make([][]float64, len(places)), Without: make([][]float64, len(places))}
	met := map[[2]string]bool{}
	for row, example := range examples {
		at, known := places[example]
		pair := [2]string{example, models[row]}
		switch {
		case !known:
			return nil, fmt.Errorf("read %s: row %d: there is no example %.40q among the members and non-members", path,
				row+1, example)
		case met[pair]:
			return nil, fmt.Errorf("read %s: row %d: example %.40q of shadow %.40q occurs twice", path, row+1,
				example, models[row])
		case member[row] != 0 && member[row] != 1:
			return nil, fmt.Errorf("read %s: row %d: member is %v; it must be 1 or 0", path, row+1, member[row])
		case !(losses[row] >= 0) || math.IsInf(losses[row], 1):
			return nil, fmt.Errorf("read %s: row %d: the loss is %v; a cross-entropy is at least 0", path, row+1,
				losses[row])
		}
		met[pair] = true
		if member[row] == 1 {
			s.With[at] = append(s.With[at], losses[row])
		} else {
			s.Without[at] = append(s.Without[at], losses[row])
		}
	}
	return s, complete(path, s, places)
}

// complete returns an error if the shadows do not cover an example.
func complete(path string, s *membership.Shadows, places map[string]int) error {
	online := slices.ContainsFunc(s.With, func(losses []float64) bool { return len(losses) > 0 })
	names := make([]string, len(places))
	for name, at := range places {
		names[at] = name
	}
	for at, name := range names {
		if len(s.Without[at]) == 0 {
			return fmt.Errorf("read %s: no shadow was trained without example %.40q", path, name)
		}
		if online && len(s.With[at]) == 0 {
			return fmt.Errorf("read %s: shadows were trained with other examples but none with %.40q; for the offline "+
				"attack remove all rows with member 1", path, name)
		}
	}
	return nil
}
