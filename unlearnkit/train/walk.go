package train

import "github.com/unlearnlab/unlearnlab/unlearnkit/seed"

// Walk goes through the rows of a table again and again, each time in another order. Which row stands at a place is a
// function of the place alone.
type Walk struct {
	root  uint64
	name  string
	rows  int
	pass  int
	order []int // of pass; nil before the first question
}

// NewWalk is a walk through so many rows; the name tells its random numbers from those of other walks.
func NewWalk(root uint64, name string, rows int) *Walk {
	return &Walk{root: root, name: name, rows: rows}
}

// Rows returns the rows at count places from begin on.
func (w *Walk) Rows(begin, count int) []int {
	rows := make([]int, count)
	for i := range rows {
		pass, place := (begin+i)/w.rows, (begin+i)%w.rows
		if w.order == nil || w.pass != pass {
			w.pass, w.order = pass, seed.Stream(w.root, "walk", w.name, "pass", pass).Perm(w.rows)
		}
		rows[i] = w.order[place]
	}
	return rows
}
