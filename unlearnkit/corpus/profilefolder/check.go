package profilefolder

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// A Finding is a problem with a download.
type Finding = datafolder.Finding

// A Report is the result of [Check].
type Report struct {
	OK       bool                `json:"ok"` // no errors; warnings are possible
	Dir      string              `json:"dir"`
	Kind     Kind                `json:"kind"` // layout; "" if the folder has no data set of people
	People   int                 `json:"people"`
	Pictures int                 `json:"pictures"`
	Seen     int                 `json:"seen"` // number of decoded pictures
	Counts   []Count             `json:"counts"`
	Sets     []SetSize           `json:"sets"`
	Dropped  []string            `json:"dropped"`
	Findings datafolder.Findings `json:"findings"`
}

// Count is the number of questions in a split.
type Count struct {
	Split      profile.Split `json:"split"`
	Single     int           `json:"single"` // questions that name their person
	Multi      int           `json:"multi"`  // questions that do not name their person
	People     int           `json:"people"`
	Attributes int           `json:"attributes"`
}

// SetSize is the size of a named set of people, such as the people to forget.
type SetSize struct {
	Name   string `json:"name"`
	People int    `json:"people"`
}

// sampleSize is the number of pictures that Check decodes by default.
const sampleSize = 64

// Check reads the tables of a download, checks all people and questions, and looks for the files of all pictures. It
// decodes a sample of the pictures or, if deep is set, all of them, which takes minutes. It reports what is missing or
// wrong, and returns an error only if ctx ends.
func Check(ctx context.Context, dir string, deep bool) (*Report, error) {
	r := &Report{Dir: dir, Counts: []Count{}, Sets: []SetSize{}, Dropped: []string{}, Findings: datafolder.Findings{}}
	r.Kind, _ = layouts.Of(dir) // Open reports the error
	f, err := Open(dir)
	if err != nil {
		r.Findings.Failure("%v", err)
		return r, nil
	}
	defer f.Close()
	r.Dropped = append(r.Dropped, f.Dropped...)
	r.count(f)
	r.people(f)
	r.records(f)
	r.compare()
	if err := r.decodePictures(ctx, f, deep); err != nil {
		return nil, err
	}
	r.OK = r.Findings.Usable()
	return r, nil
}

// faults collects the cases of one kind of fault.
type faults struct {
	severity, more string // text after the number of unreported cases
	cases          datafolder.Findings
}

func (f *faults) add(format string, values ...any) {
	f.cases = append(f.cases, Finding{Severity: f.severity, What: fmt.Sprintf(format, values...)})
}

// addFaults adds the collected cases to the findings.
func (r *Report) addFaults(all ...*faults) {
	for _, f := range all {
		r.Findings.Cases(f.cases, f.more)
	}
}

// people checks all people of the data set.
func (r *Report) people(f *Folder) {
	unseen := &faults{severity: "error", more: "people have no pictures"}
	idle := &faults{severity: "error", more: "people are in no split"}
	untaught := &faults{severity: "warning", more: "people have no question of train"}
	nameless := &faults{severity: "warning", more: "people have no name"}
	shared := &faults{severity: "warning", more: "values are shared"}
	splits := make([][]profile.Split, len(f.People))
	for _, record := range f.Records {
		splits[record.Identity] = append(splits[record.Identity], record.Split)
	}
	owners := map[[2]string]string{}
	for i, p := range f.People {
		r.Pictures += p.Pictures
		switch {
		case len(splits[i]) == 0:
			idle.add("person %s is in no split: there is no question about them; leave them out or ask", p.ID)
		case p.Pictures == 0:
			unseen.add("person %s has no pictures; add one or leave them out", p.ID)
		case !slices.Contains(splits[i], profile.Train):
			untaught.add("person %s has no question of %s: nothing is learned of them", p.ID, profile.Train)
		}
		if p.Name() == "" && f.Kind == Rows {
			nameless.add("person %s has no %s; Exposure and questions that name people need it", p.ID, profile.FullName)
		}
		for _, a := range profile.Personal() {
			key := [2]string{string(a), metric.NormalizeKeyword(p.Facts[a])}
			if key[1] == "" {
				continue
			}
			if owner, taken := owners[key]; taken {
				shared.add("people %s and %s share the %s %.60q: forgetting one forgets what the other has", owner,
					p.ID, a, p.Facts[a])
			}
			owners[key] = p.ID
		}
	}
	r.addFaults(idle, unseen, untaught, nameless, shared)
}

// records checks all questions of the data set.
func (r *Report) records(f *Folder) {
	twice := &faults{severity: "error", more: "ids are there twice"}
	empty := &faults{severity: "error", more: "questions or answers are empty"}
	bare := &faults{severity: "error", more: "questions have no keyword"}
	lacking := &faults{severity: "warning", more: "answers lack their keyword"}
	conflicting := &faults{severity: "warning", more: "values contradict others"}
	ids := map[string]bool{}
	for _, record := range f.Records {
		id, p := record.ID, f.People[record.Identity]
		if ids[id] {
			twice.add("the record %s is there twice; number the records", id)
		}
		ids[id] = true
		if record.Question == "" || record.Answer == "" {
			empty.add("the record %s has no question or no answer", id)
		}
		if f.Kind == MLLMU {
			continue // this data set has neither keywords nor attributes
		}
		if record.Keyword == "" {
			bare.add("the question %s, %.60q, has no keyword: no match can be counted", id, record.Question)
		} else if metric.KeywordMatch(record.Answer, record.Keywords...) < 1 {
			lacking.add("the answer of %s, %.60q, lacks the keyword %.40q: not even the truth matches", id,
				record.Answer, record.Keyword)
		}
		fact := metric.NormalizeKeyword(p.Facts[record.Attribute])
		learned := record.Split == profile.Train || record.Split == profile.Test
		if learned && fact != "" && record.Keyword != "" && metric.NormalizeKeyword(record.Keyword) != fact {
			conflicting.add("the %s of %s is %.40q in the record %s and %.40q elsewhere: Exposure needs one",
				record.Attribute, p.ID, record.Keyword, id, p.Facts[record.Attribute])
		}
	}
	r.addFaults(twice, empty, bare, lacking, conflicting)
}

// decodePictures looks for the files of all pictures. It decodes a sample of them or, if deep is set, all of them.
func (r *Report) decodePictures(ctx context.Context, f *Folder, deep bool) error {
	missing := &faults{severity: "error", more: "pictures are missing: unpack or download them again"}
	damaged := &faults{severity: "error", more: "pictures that were decoded are damaged: download them again"}
	type numbered struct{ identity, picture int }
	var there []numbered
	for identity, places := range f.pictures.places {
		for number, at := range places {
			if at.row < 0 {
				if info, err := os.Stat(at.path); err != nil || !info.Mode().IsRegular() {
					missing.add("read %s: the picture of %s is missing", at.path, f.People[identity].ID)
					continue
				}
			}
			there = append(there, numbered{identity, number})
		}
	}
	wanted := min(sampleSize, len(there))
	if deep {
		wanted = len(there)
	}
	slices.SortStableFunc(there, func(a, b numbered) int { // sorted by file and row, for fast reading
		first, second := f.pictures.places[a.identity][a.picture], f.pictures.places[b.identity][b.picture]
		if first.path != second.path {
			return strings.Compare(first.path, second.path)
		}
		return first.row - second.row
	})
	for i := range wanted {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r.Seen++
		one := there[i*len(there)/wanted]
		if _, err := f.Picture(one.identity, one.picture); err != nil {
			damaged.add("%v", err)
		}
	}
	r.addFaults(missing, damaged)
	return nil
}
