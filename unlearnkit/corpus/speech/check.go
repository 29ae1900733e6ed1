package speech

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
)

// Check returns a one-line error if the set cannot be used to train and evaluate a model. Each part needs clips, each
// clip needs its text, speaker and label, and each label needs a training clip. No speaker may be in both Train and
// Test. Check opens no clips.
func (s *Set) Check() error {
	for _, check := range []func() error{s.checkHead, s.checkClips, s.checkIntents, s.checkSpeakers} {
		if err := check(); err != nil {
			return fmt.Errorf("%s: %w", s.name(), err)
		}
	}
	return nil
}

func (s *Set) name() string {
	if s.Name == "" {
		return "a set of speech without a name"
	}
	return s.Name
}

func (s *Set) checkHead() error {
	if s.Rate < sound.LowestRate || s.Rate > sound.HighestRate {
		return fmt.Errorf("a rate of %d samples a second; give one between %d and %d", s.Rate, sound.LowestRate,
			sound.HighestRate)
	}
	if len(s.Intents) < 2 {
		return fmt.Errorf("%s; a classifier needs at least 2", count(len(s.Intents), "intent"))
	}
	for i, intent := range s.Intents {
		if strings.TrimSpace(intent) == "" {
			return fmt.Errorf("intent %d has no name", i)
		}
		if first := slices.Index(s.Intents, intent); first < i {
			return fmt.Errorf("the intent %q is listed twice, as %d and as %d", intent, first, i)
		}
	}
	for _, part := range s.Parts() {
		if len(part.Utterances) == 0 {
			return fmt.Errorf("no clips in %s; it needs some", part.Name)
		}
	}
	return nil
}

func (s *Set) checkClips() error {
	where := map[string]string{}
	for _, part := range s.Parts() {
		for i, u := range part.Utterances {
			if strings.TrimSpace(u.ID) == "" {
				return fmt.Errorf("clip %d of %s has no ID", i, part.Name)
			}
			if first, taken := where[u.ID]; taken {
				return fmt.Errorf("the clip %s is there twice, in %s and in %s", u.ID, first, part.Name)
			}
			where[u.ID] = part.Name
			for _, field := range [][2]string{{"speaker", u.Speaker}, {"text", u.Text}, {"intent", u.Intent}} {
				if strings.TrimSpace(field[1]) == "" {
					return fmt.Errorf("the clip %s in %s has no %s", u.ID, part.Name, field[0])
				}
			}
			if u.Label < 0 || u.Label >= len(s.Intents) {
				return fmt.Errorf("the clip %s in %s has the label %d; there are %d intents, from 0 on", u.ID,
					part.Name, u.Label, len(s.Intents))
			}
		}
	}
	return nil
}

// checkIntents returns an error if an intent is not among the training labels, because a model could not learn it.
func (s *Set) checkIntents() error {
	said := make([]bool, len(s.Intents))
	for _, u := range s.Train {
		said[u.Label] = true
	}
	if missing := slices.Index(said, false); missing >= 0 {
		return fmt.Errorf("no clip of train has the label %d, %q; drop the intent or add clips", missing,
			s.Intents[missing])
	}
	return nil
}

// checkSpeakers returns an error if a speaker is in both Train and Test, because attacks use the clips of Test as
// unseen clips. Other parts may have speakers in common.
func (s *Set) checkSpeakers() error {
	tested := Speakers(s.Test)
	for _, speaker := range Speakers(s.Train) {
		if slices.Contains(tested, speaker) {
			return fmt.Errorf("the speaker %s is in train and in test; split by speaker, or the model has heard the "+
				"voices that it is tested on", speaker)
		}
	}
	return nil
}
