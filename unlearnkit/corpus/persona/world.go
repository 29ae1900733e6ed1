package persona

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Row is a picture with its captions and split.
type Row struct {
	ID        string `json:"id"`
	Split     Split  `json:"split"`
	Identity  int    `json:"identity"`            // index into People; -1 for other people and objects
	Attribute string `json:"attribute,omitempty"` // attribute in the caption, for sensitive rows
	Value     string `json:"value,omitempty"`
	Name      string `json:"name,omitempty"`
	Directive string `json:"directive,omitempty"` // way in which the caption is phrased, one of Directives
	Caption   string `json:"caption"`             // caption used in training
	Generic   string `json:"generic,omitempty"`   // description of a portrait that names nobody
	Image     int    `json:"image"`               // index of the picture's recipe
	Class     int    `json:"class"`               // class of an object; -1 for people
}

// World is a small world of fictional people, with rows to forget and rows to keep.
type World struct {
	Spec        Spec
	People      []Person
	Sensitive   []Row // sensitive rows, grouped by person
	RetainSynth []Row // generated people with generic captions, grouped by person: sensitive people first
	RetainReal  []Row // objects, then people in the second style
	ObjectTest  []Row
	Unseen      []Row        // generated portraits, then portraits in the second style
	Report      FilterReport // the filter's counts for personas
	Others      FilterReport // the filter's counts for the other generated people

	chosen    []look // looks of all generated people, including those dropped by the filter
	personas  []subject
	strangers []subject
	real      []look
	recipes   []recipe
}

// recipe defines how to draw a picture.
type recipe struct {
	kind           kind
	subject, index int
}

type kind int

const (
	personaPicture  kind = iota // subject is the index of a persona; index selects one of the persona's pictures
	strangerPicture             // subject is the index of another generated person; index selects one of the person's pictures
	realPicture                 // subject is the index of a person in the second style
	objectPicture               // subject is an object class
	testPicture                 // subject is an object class
)

// Generate returns the world of a spec. It renders only the pictures that the filter needs; [World.Render] renders
// pictures on demand.
func Generate(spec Spec) (*World, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	w := &World{Spec: spec}
	names := newRegister()
	if err := w.makePeople(names); err != nil {
		return nil, err
	}
	if err := w.makeStrangers(); err != nil {
		return nil, err
	}
	assign(seed.Stream(spec.Seed, "persona", "splits"), w.Sensitive, spec.Identities, spec.ByAttribute)
	w.makeObjects()
	w.makeRealPeople(names)
	if err := w.makeUnseen(); err != nil {
		return nil, err
	}
	return w, nil
}

// anchorCandidates is the number of random looks from which the one that differs most from all earlier people is
// chosen.
const anchorCandidates = 8

// anchor returns the next person of a stream, with the group and gender that have the fewest people so far.
func (w *World) anchor(stream string, number int, cells *[2 * MaxGroups]int) subject {
	cell := fewest(cells[:2*w.Spec.Groups])
	source := seed.Stream(w.Spec.Seed, "persona", stream, number, "anchor")
	s := subject{stream: stream, number: number, factor: 1,
		look: farthest(source, w.chosen, anchorCandidates, cell/2, Gender(cell%2))}
	if source.Float64() < w.Spec.Faults.Weak {
		s.factor = w.Spec.Faults.WeakFactor
	}
	w.chosen = append(w.chosen, s.look)
	return s
}

func fewest(counts []int) int {
	best := 0
	for i, count := range counts {
		if count < counts[best] {
			best = i
		}
	}
	return best
}

// makePeople generates personas until enough of them have enough pictures that pass the filter. Those personas get
// names and facts.
func (w *World) makePeople(names *register) error {
	spec := w.Spec
	var cells [2 * MaxGroups]int
	for len(w.People) < spec.Identities {
		number := len(w.personas)
		if number == 3*spec.Identities+20 {
			return fmt.Errorf("persona: of %d personas only %d keep %d of %d pictures; raise candidates or lower "+
				"faults", number, len(w.People), spec.PerIdentity, spec.Candidates)
		}
		s := w.anchor("persona", number, &cells)
		w.personas = append(w.personas, s)
		v := w.filter(s, spec.Candidates, &w.Report)
		w.Report.Personas++
		wanted := spec.PerIdentity + spec.jointOf(len(w.People))
		if len(v.passed) < wanted {
			w.Report.TooFew++
			continue
		}
		cells[2*v.group+int(v.gender)]++
		person := Person{Group: v.group, Gender: v.gender}
		if err := person.identify(seed.Stream(spec.Seed, "persona", "facts", number), names); err != nil {
			return err
		}
		w.People = append(w.People, person)
		if err := w.addRows(s, v.passed[:wanted]); err != nil {
			return err
		}
	}
	w.Report.Kept = len(w.People)
	return nil
}

// addRows adds the newest person's rows: sensitive rows, and rows with generic captions for the remaining pictures.
func (w *World) addRows(s subject, pictures []int) error {
	identity := len(w.People) - 1
	person := &w.People[identity]
	captions := newSensitiveCaptions(seed.Stream(w.Spec.Seed, "persona", "captions", s.number), person)
	for i, index := range pictures {
		row := Row{ID: fmt.Sprintf("p%03d_%03d", s.number, index), Identity: identity, Class: -1}
		row.Image = w.addRecipe(personaPicture, s.number, index)
		row.Generic = w.genericOf(s, index)
		if i >= w.Spec.PerIdentity {
			row.Split, row.Caption = RetainJoint, row.Generic
			w.RetainSynth = append(w.RetainSynth, row)
			continue
		}
		attribute, directive, caption, err := captions.next()
		if err != nil {
			return err
		}
		row.Attribute, row.Directive, row.Caption = attribute, directive, caption
		row.Value, row.Name = person.Facts[attribute], person.Name
		w.Sensitive = append(w.Sensitive, row)
	}
	return nil
}

func (w *World) addRecipe(k kind, subject, index int) int {
	w.recipes = append(w.recipes, recipe{k, subject, index})
	return len(w.recipes) - 1
}

func (w *World) genericOf(s subject, index int) string {
	p, _ := w.candidate(s, index)
	return p.generic(seed.Stream(w.Spec.Seed, "persona", s.stream, s.number, "generic", index))
}

// makeStrangers adds other people with generic captions. Their pictures pass the same filter.
func (w *World) makeStrangers() error {
	spec := w.Spec
	var cells [2 * MaxGroups]int
	for left := spec.RetainDisjoint; left > 0; {
		number := len(w.strangers)
		if number > 20+3*spec.RetainDisjoint/spec.DisjointPerPerson {
			return fmt.Errorf("persona: of %d other people too few keep %d pictures; lower disjoint_per_person or "+
				"faults", number, spec.DisjointPerPerson)
		}
		s := w.anchor("stranger", number, &cells)
		w.strangers = append(w.strangers, s)
		wanted := min(left, spec.DisjointPerPerson)
		v := w.filter(s, 2*spec.DisjointPerPerson+4, &w.Others)
		w.Others.Personas++
		if len(v.passed) < wanted {
			w.Others.TooFew++
			continue
		}
		w.Others.Kept++
		cells[2*v.group+int(v.gender)]++
		left -= wanted
		for _, index := range v.passed[:wanted] {
			row := Row{ID: fmt.Sprintf("s%04d_%03d", number, index), Split: RetainDisjoint, Identity: -1, Class: -1}
			row.Image = w.addRecipe(strangerPicture, number, index)
			row.Generic = w.genericOf(s, index)
			row.Caption = row.Generic
			w.RetainSynth = append(w.RetainSynth, row)
		}
	}
	return nil
}
