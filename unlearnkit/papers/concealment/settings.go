package concealment

import "maps"

// Setting holds the rate and budget with which a method erases a concept.
type Setting struct {
	Method, Erased string
	Rate           float64
	Budget         int  // number of passes
	Reached        bool // whether the setting reaches the thresholds of [Choose]
}

// settings lists the settings that [Choose] returned for the tuning of this study's small models.
var settings = []Setting{
	{"esd-x", "Van Gogh", 1e-3, 12, true},
	{"esd-x", "Killian Eng", 2e-3, 6, true},
	{"esd-u", "Nudity", 5e-4, 4, true},
	{"ablating-model", "Greg Rutkowski", 2e-3, 2, true},
	{"ablating-model", "Grumpy Cat", 1e-3, 4, true},
	{"ablating-model", "R2D2", 1e-3, 4, true},
	{"sdd", "Nudity", 5e-4, 6, true},
	{"sdd", "Van Gogh", 1e-3, 5, false},
	{"sdd/slow", "Nudity", 2e-4, 75, false},
	{"sdd/slow", "Van Gogh", 2e-4, 75, false},
	{"esd-x/longer", "Van Gogh", 1e-3, 12, true},
	{"esd-x-newer", "Van Gogh", 4e-3, 4, true},
	{"esd-x-newer", "Killian Eng", 4e-3, 2, true},
	{"ablating-noise", "Greg Rutkowski", 2e-3, 2, true},
	{"ablating-noise", "Grumpy Cat", 1e-3, 4, true},
	{"ablating-noise", "R2D2", 2e-3, 4, true},
}

// setting returns the setting with which the method erases a concept. If no chosen setting is among those that the
// method tries, it returns the first rate and budget that the method tries.
func (m Method) setting(erased string) Setting {
	if s, chosen := m.chosen(erased); chosen {
		return s
	}
	return Setting{Method: m.uniqueName(), Erased: erased, Rate: m.Rates[0], Budget: m.Budgets[0]}
}

// chosen returns the chosen setting for a concept, if it is among those that the method tries.
func (m Method) chosen(erased string) (Setting, bool) {
	for _, s := range settings {
		if s.Method == m.uniqueName() && s.Erased == erased && m.tries(s) {
			return s, true
		}
	}
	return Setting{}, false
}

func (m Method) tries(s Setting) bool {
	for _, rate := range m.Rates {
		for _, budget := range m.Budgets {
			if s.Rate == rate && s.Budget == budget {
				return true
			}
		}
	}
	return false
}

// settingsAt returns the method's settings with the given rate.
func (m Method) settingsAt(rate float64) map[string]float64 {
	values := maps.Clone(m.Values)
	if values == nil {
		values = map[string]float64{}
	}
	values["rate"] = rate
	return values
}
