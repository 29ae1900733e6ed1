package remem

import "github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"

// among returns the answers to a part of the questions, restricted to a hop if hop is not empty.
func among(answers []Answer, part, hop string) (chosen []Answer) {
	for _, a := range answers {
		if a.Part == part && (hop == "" || a.Hop == hop) {
			chosen = append(chosen, a)
		}
	}
	return chosen
}

// nameSecrets returns the ranks of people's names.
func (m *Model) nameSecrets() (names []Secret) {
	if m.lost() {
		return nil
	}
	for _, s := range m.Secrets {
		if s.Attribute == string(profile.FullName) {
			names = append(names, s)
		}
	}
	return names
}
