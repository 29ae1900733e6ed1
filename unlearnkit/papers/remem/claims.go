package remem

import (
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Claims judges the paper's claims on the results.
func (r *Results) Claims() []certify.Judged {
	panel := r.panel()
	claims := r.claims()
	certify.Testable(claims, panel.Has)
	judged := certify.JudgeClaims("remem", r.Preset.Name, len(r.Worlds), panel, claims)
	return append(judged, r.guestClaims()...)
}

// Counted describes which worlds were read if some are missing. Otherwise it returns "".
func (r *Results) Counted() string {
	if r.lack == "" {
		return ""
	}
	return r.count()
}

// claims returns the paper's claims, each in the family of its section.
func (r *Results) claims() []certify.Claim {
	claims := slices.Concat(r.shapeClaims(), r.nameClaims(), r.circuitClaims(), r.countClaims(), r.shareClaims(),
		r.taughtClaims(), r.extremeClaims(), r.middleClaims(), r.tradeClaims(), r.hopClaims(), r.scaleClaims(),
		r.maskingClaims(), r.choiceClaims(), r.ratioClaims())
	for i, c := range claims {
		claims[i].Family = familyOf(c.Source)
	}
	return claims
}

// familyOf returns the family of a claim by its source in the paper: the headline, or the section.
func familyOf(source string) string {
	section, _, _ := strings.Cut(source, ",")
	if section == abstract || section == conclusion {
		return certify.Headline
	}
	return section
}
