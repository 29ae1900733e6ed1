package study

import "github.com/unlearnlab/unlearnlab/unlearnkit/certify"

// JudgeGuest judges claims about one row of a guest, with the means of a panel that has the repetitions of the guest.
// The claims are those that the paper makes about its methods, stated of the guest. The row is a family of its own, so
// that no verdict about the paper depends on guests.
func JudgeGuest(paper, preset, row string, repetitions int, p *certify.Panel, claims []certify.Claim) []certify.Judged {
	claims = certify.InFamily(row, claims)
	for i := range claims {
		claims[i].Guest, claims[i].Finding = true, "the model comes from elsewhere"
	}
	certify.Testable(claims, p.Has)
	return certify.JudgeClaims(paper, preset, repetitions, p, claims)
}
