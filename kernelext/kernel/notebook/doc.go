// Package notebook makes, runs and checks Jupyter notebooks without Jupyter, Python or a browser.
//
// # Sources
//
// A notebook is written as one Markdown file, which reviews and merges well; the .ipynb beside it is generated,
// executed and committed, so that it shows its figures wherever it is opened.
//
//	---
//	title: Statistics
//	---
//	# What a p-value says
//
//	Prose becomes a Markdown cell. A new one begins at each heading, and at a line of three dashes.
//
//	```go name=null-calibration timeout=60s
//	%%
//	kx.Text("a fence of Go becomes a code cell")
//	```
//
// Options follow the fence's language: name, which keeps the cell's id when its code changes; timeout, the cell's time
// limit; volatile, whose outputs differ from run to run and are not compared; prose, for Go that is only to be read.
// Every other fence stays prose.
//
// # Running
//
// [Run] starts a kernel, speaks Jupyter's protocol with it, and writes outputs into the cells as Jupyter does. [Check]
// says whether a notebook is what its source says and whether its outputs come out again.
//
// # Files of others
//
// [Read] takes any notebook of nbformat 4 within [MaxSize], [MaxDepth] and [MaxCells]; a file that exceeds the first is
// refused without being read.
package notebook
