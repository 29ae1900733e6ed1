// Package kernelext is what a notebook's cell imports, as kx, to show things: figures, sounds, tables, Markdown,
// progress, errors, and exercises that are checked.
//
//	kx.Figure(f)                      // a picture at twice the resolution, with its text
//	kx.Audio(samples, 8000, "before") // a player with a sound
//	kx.Table(stat.Wilcoxon(a, b))     // a table, a slice of structs, or one struct
//	bar := kx.Progress(100, "seeds")  // a bar that moves in place; kx.Runs is one for a study's runs
//	kx.ReadCSV("scores.csv")          // columns of your own, or of Parquet; kx.Rows makes structs of them
//	kx.Keep("scores", func() T { … }) // computed once: the value stays on disk while its code stays
//	kx.Run(func(ctx context.Context) error { … })  // ends when the stop button is pressed
//	kx.Check("tour/mean", answer)     // is the exercise solved?
//	kx.MIA(forgetLosses, testLosses)  // does an attack still find what was forgotten?
//
// Outside a notebook the same calls print text, so that a cell's code is also a program's. Functions that show
// something return nothing: what cannot be shown ends the cell with a box that says why.
//
// A cell is a process of its own and can end at any moment, so every display waits until the kernel has it. The package
// links neither plots nor networks, so that a cell that shows text stays small.
package kernelext
