package train

import "github.com/unlearnlab/unlearnlab/unlearnkit/seed"

// Walk visits the rows of a table repeatedly, in a new order in each pass. The row at a position depends only on the
// position.
type Walk struct {
	root  uint64
	name  string
	rows  int
	pass  int
	order []int // the order of rows in pass; nil before the first call of Rows
}

// NewWalk returns a walk through the given number of rows. The name separates its random numbers from those in other
// walks.
func NewWalk(root uint64, name string, rows int) *Walk {
	return &Walk{root: root, name: name, rows: rows}
}

// Rows returns count rows, from position begin on.
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
