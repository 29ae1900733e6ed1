package unslu

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/unlearnlab/unlearnlab/internal/memo"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// attackDraws is the number of draws that MIA averages: each chooses among the clips of the longer list and splits the
// clips ten times, as the paper does once. Their seeds are 0, 1, ... The rule is in docs/experiments.md.
const attackDraws = 100

// attackOn selects an attack that separates the forget clips from the clips of a split.
type attackOn struct {
	split string
	draw  int // number of the only draw, or everyDraw for the mean over all
}

// everyDraw as attackOn.draw averages the draws.
const everyDraw = -1

// onSplit selects the attack that averages all draws.
func onSplit(split string) attackOn { return attackOn{split, everyDraw} }

// Attack holds the results of the attack on one model.
type Attack struct {
	MIA   float64
	SE    float64   // standard error of MIA from the number of clips
	Draws []float64 // MIA by draw
}

// attacks caches results by a hash of the losses, and draws caches the random choices, which depend only on the numbers
// of clips.
var (
	attacks memo.Map[[sha256.Size]byte, Attack]
	draws   memo.Map[drawn, []*metric.MembershipDraw]
)

type drawn struct {
	members, others int
	against         string
}

// attack fits the paper's membership attack, averaged over draws. It predicts from the loss alone whether a clip is a
// forget clip or belongs to a split that no model was trained on. All models get the same draws, so that only the
// losses differ.
func attack(members, others []float64, against string) Attack {
	key := sha256.New()
	_ = binary.Write(key, binary.LittleEndian, int64(len(members))) // writing to a hash never fails
	_ = binary.Write(key, binary.LittleEndian, members)
	_ = binary.Write(key, binary.LittleEndian, others)
	key.Write([]byte(against))
	found, _ := attacks.Get([sha256.Size]byte(key.Sum(nil)), func() (Attack, error) {
		m := metric.MeanLossMIA(members, others, drawsFor(drawn{len(members), len(others), against})...)
		return Attack{m.MIA, m.SE, m.Draws}, nil
	})
	return found
}

// drawsFor returns the draws for the given numbers of clips.
func drawsFor(d drawn) []*metric.MembershipDraw {
	all, _ := draws.Get(d, func() (all []*metric.MembershipDraw, err error) {
		for i := range uint64(attackDraws) {
			random := seed.Stream(i, "unslu", "attack", d.against)
			all = append(all, metric.DrawMembership(d.members, d.others, random))
		}
		return all, nil
	})
	return all
}
