package profile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// Check returns a one-line error if the set, such as a user's, cannot be used.
func (s *Set) Check() error {
	if len(s.People) < 2 {
		return errors.New("profile: the set has fewer than two people; bring one to forget and one to keep at least")
	}
	for _, check := range []func() error{s.checkPeople, s.checkRecords, s.checkSplits} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) checkPeople() error {
	owners := map[Attribute]map[string]int{}
	for identity, p := range s.People {
		if p.Name() == "" {
			return fmt.Errorf("profile: person %d has no %s; give one", identity, FullName)
		}
		if p.Pictures < 1 {
			return fmt.Errorf("profile: person %d (%s) has no pictures; add one or leave the person out", identity,
				p.Name())
		}
		for _, a := range personal {
			value := metric.NormalizeKeyword(p.Facts[a])
			if value == "" {
				continue
			}
			if owners[a] == nil {
				owners[a] = map[string]int{}
			}
			if owner, taken := owners[a][value]; taken {
				return fmt.Errorf("profile: people %d and %d share the %s %q; each needs one of their own", owner,
					identity, a, p.Facts[a])
			}
			owners[a][value] = identity
		}
	}
	return nil
}

func (s *Set) checkRecords() error {
	ids := map[string]bool{}
	for i, r := range s.Records {
		if r.ID == "" || ids[r.ID] {
			return fmt.Errorf("profile: record %d has the id %q, which is empty or another's; number the records", i,
				r.ID)
		}
		ids[r.ID] = true
		if r.Identity < 0 || r.Identity >= len(s.People) {
			return fmt.Errorf("profile: record %s is about person %d; there are 0 to %d", r.ID, r.Identity,
				len(s.People)-1)
		}
		if err := r.check(s.People[r.Identity]); err != nil {
			return fmt.Errorf("profile: record %s: %w", r.ID, err)
		}
	}
	return nil
}

// check returns an error if a record is incomplete, contradicts itself, or does not fit its person's profile.
func (r *Record) check(p Profile) error {
	contains := func(text, part string) bool {
		return strings.Contains(metric.NormalizeKeyword(text), metric.NormalizeKeyword(part))
	}
	switch {
	case r.Picture < 0 || r.Picture >= p.Pictures:
		return fmt.Errorf("it shows picture %d, but %s has 0 to %d", r.Picture, p.Name(), p.Pictures-1)
	case r.Split == "":
		return fmt.Errorf("its split is empty; say %s or %s", Train, Test)
	case r.Hop != Single && r.Hop != Multi:
		return fmt.Errorf("its hop is %q; say %s if the question names the person, otherwise %s", r.Hop, Single, Multi)
	case strings.TrimSpace(r.Question) == "" || strings.TrimSpace(r.Keyword) == "":
		return fmt.Errorf("question or keyword is empty; give both")
	case !contains(r.Answer, r.Keyword):
		return fmt.Errorf("the answer %q lacks the keyword %q; write the answer with it", r.Answer, r.Keyword)
	case metric.KeywordMatchWhole(r.Question, r.Keyword) > 0:
		return fmt.Errorf("the question %q gives the answer %q away; ask without it", r.Question, r.Keyword)
	case r.Hop == Multi && contains(r.Question, p.Name()):
		return fmt.Errorf("the question %q names %s though its hop is %s; leave the name out or say %s", r.Question,
			p.Name(), Multi, Single)
	}
	return nil
}

// checkSplits returns an error if training and test use the same template, by name or by wording.
func (s *Set) checkSplits() error {
	for _, key := range []func(Record) string{
		func(r Record) string { return r.Template },
		func(r Record) string { return s.People[r.Identity].words(r.Question) },
	} {
		trained := map[string]string{}
		for _, r := range s.Of(Train) {
			trained[key(r)] = r.ID
		}
		for _, r := range s.Of(Test) {
			if other, both := trained[key(r)]; both && key(r) != "" {
				return fmt.Errorf("profile: records %s of training and %s of test share the template %q; "+
					"ask one in other words", other, r.ID, key(r))
			}
		}
	}
	return nil
}

// words returns a question with a placeholder for the person's name, normalized for comparison.
func (p Profile) words(question string) string {
	return strings.ReplaceAll(metric.NormalizeKeyword(question), metric.NormalizeKeyword(p.Name()), "{name}")
}
