package unlearn

// Pairing defines which rows of a phase's streams form the batch of a step.
type Pairing int

const (
	// Endless reads the first stream in passes; the last batch of a pass may be smaller. The other streams repeat
	// endlessly and supply as many rows as the first.
	Endless Pairing = iota
	// Cycled cuts every stream into its own batches, as data loaders do; the last one may be smaller. A pass covers the
	// first stream once. The others restart with each pass and whenever they end. A step whose batches differ in size
	// is skipped.
	Cycled
	// Shortest ends a pass with the shortest stream, and skips batches that are not full.
	Shortest
)

// stepBatches returns the indices of a pass's batches that become steps, for streams with the given row counts.
func (p Pairing) stepBatches(batch int, rows []int) []int {
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

// batches returns the number of batches of a stream.
func batches(rows, batch int) int { return 1 + (rows-1)/batch }

// size returns the number of rows in a batch of a stream; it is not positive beyond the stream's end.
func size(number, rows, batch int) int { return min(batch, rows-number*batch) }

// pair makes a feed read its streams in paired batches.
func (f *feed) pair(p Pairing) {
	if p == Endless {
		return
	}
	rows := make([]int, len(f.streams))
	for i, stream := range f.streams {
		rows[i] = stream.Rows()
	}
	f.stepBatches = p.stepBatches(f.rows, rows)
}

// number returns the index of a step's batch within its pass through the first stream.
func (f *feed) number(step int) int {
	if f.stepBatches == nil {
		return step % f.perPass
	}
	return f.stepBatches[step%f.perPass]
}

// count returns the number of rows of a step.
func (f *feed) count(step int) int { return size(f.number(step), f.streams[0].Rows(), f.rows) }

// begin returns the index of a step's first row in the walk through a stream.
func (f *feed) begin(stream, step int) int {
	pass, number := step/f.perPass, f.number(step)
	first, length := f.streams[0].Rows(), f.streams[stream].Rows()
	if f.stepBatches == nil {
		return pass*first + number*f.rows
	}
	inOne := batches(length, f.rows)
	turns := batches(batches(first, f.rows), inOne) // rounds through the stream per pass
	return (pass*turns+number/inOne)*length + number%inOne*f.rows
}
