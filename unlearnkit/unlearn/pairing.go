package unlearn

// Pairing says which rows of a phase's streams stand side by side in its steps.
type Pairing int

const (
	// Endless walks through the first stream in passes, the last batch of which may be smaller. The others go on and
	// on, and give as many rows as the first.
	Endless Pairing = iota
	// Cycled cuts every stream into batches of its own, as data loaders do, the last of which may be smaller. A pass is
	// one through the first stream; the others begin with it, and anew where they end. A step whose batches differ in
	// size is left out.
	Cycled
	// Shortest ends a pass with the stream that ends first, and leaves out batches that are not full.
	Shortest
)

// kept are the numbers of a pass's batches that are steps, for streams of so many rows.
func (p Pairing) kept(batch int, rows []int) []int {
	var kept []int
	for number := range batches(rows[0], batch) {
		keep := true
		for _, length := range rows[1:] {
			switch p {
			case Cycled:
				keep = keep && size(number, rows[0], batch) == size(number%batches(length, batch), length, batch)
			case Shortest:
				keep = keep && size(number, length, batch) == batch
			}
		}
		if p == Shortest {
			keep = keep && size(number, rows[0], batch) == batch
		}
		if keep {
			kept = append(kept, number)
		}
	}
	return kept
}

// batches is the number of batches of a stream.
func batches(rows, batch int) int { return 1 + (rows-1)/batch }

// size is the number of rows of a stream's batch, none or less beyond its end.
func size(number, rows, batch int) int { return min(batch, rows-number*batch) }

// pair makes a feed read its streams by their batches.
func (f *feed) pair(p Pairing) {
	if p == Endless {
		return
	}
	rows := make([]int, len(f.streams))
	for i, stream := range f.streams {
		rows[i] = stream.Rows()
	}
	f.kept = p.kept(f.rows, rows)
}

// number is that of a step's batch in its pass through the first stream.
func (f *feed) number(step int) int {
	if f.kept == nil {
		return step % f.perPass
	}
	return f.kept[step%f.perPass]
}

// count is the number of rows of a step.
func (f *feed) count(step int) int { return size(f.number(step), f.streams[0].Rows(), f.rows) }

// begin is the place of a step's first row in the walk through a stream.
func (f *feed) begin(stream, step int) int {
	pass, number := step/f.perPass, f.number(step)
	first, length := f.streams[0].Rows(), f.streams[stream].Rows()
	if f.kept == nil {
		return pass*first + number*f.rows
	}
	inOne := batches(length, f.rows)
	turns := batches(batches(first, f.rows), inOne) // of the stream in a pass
	return (pass*turns+number/inOne)*length + number%inOne*f.rows
}
