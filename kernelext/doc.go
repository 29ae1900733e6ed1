// Package kernelext shows figures, sounds, tables, Markdown, progress and errors in a notebook's cell, and checks
// exercises. Cells import it as kx.
//
//	kx.Figure(f)                      // a picture at twice the resolution, with its text
//	kx.Audio(samples, 8000, "before") // a player with a sound
//	kx.Table(stat.Wilcoxon(a, b))     // a table, a slice of structs, or one struct
//	bar := kx.Progress(100, "seeds")  // a bar that moves in place; kx.Runs is one for a study's runs
//	kx.ReadCSV("scores.csv")          // columns of your own file; kx.Rows converts them to structs
//	kx.Keep("scores", func() T { … }) // computed once: the value stays on disk until its code changes
//	kx.Run(func(ctx context.Context) error { … })  // ends when the stop button is pressed
//	kx.Check("tour/mean", answer)     // is the exercise solved?
//	kx.MIA(forgetLosses, testLosses)  // does an attack still find what was forgotten?
//
// Outside a notebook the same calls print text, so a cell's code also works in a program. Functions that show something
// return nothing. If they fail, they end the cell with a box that explains why.
//
// A cell is a separate process that can end at any moment, so every display waits until the kernel has received it. The
// package links neither plots nor networks, so a cell that shows text stays small.
package kernelext
