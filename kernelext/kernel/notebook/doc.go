// Package notebook makes, runs and checks Jupyter notebooks without Jupyter, Python or a browser.
//
// # Sources
//
// A notebook is written as one Markdown file, which is easy to review and merge. The .ipynb is generated from it,
// executed and committed, so it shows its figures wherever it is opened.
//
//	---
//	title: Statistics
//	---
//	# What a p-value says
//
//	Prose becomes a Markdown cell. A new one begins at each heading and at a line of three dashes.
//
//	```go name=null-calibration timeout=60s
//	%%
//	kx.Text("a fence of Go becomes a code cell")
//	```
//
// Options follow the fence's language: name keeps the cell's ID when its code changes; timeout is the cell's time
// limit; volatile marks a cell whose outputs differ from run to run and are not compared; prose marks Go that is only
// to be read. Any other fence stays prose.
//
// # Running
//
// [Run] starts a kernel, communicates with it by Jupyter's protocol, and writes outputs into the cells as Jupyter does.
// [Stale] compares a notebook with its source, and [Changed] compares its outputs with those of a new run.
//
// # Files of others
//
// [Read] accepts any notebook of nbformat 4 within maxSize, maxDepth and maxCells. It rejects a file above
// maxSize without reading it.
package notebook
