// Package publish stores the results of a study in a few files that other tools can open. There is a table of runs with
// their costs. Raw scores and logs are in Parquet files with many runs each. Models and pictures have descriptive
// names.
//
//	runs.csv.gz           one row per run: its key, method, repetition, machine, cost, and the spec that gives the key
//	files.csv.gz          one row per file of a run: where it is, and its SHA-256
//	builds.csv            the modules of the programs that made the runs
//	scores/delete.parquet rows of many runs; the first columns identify the run
//
// A publication is a [store.Shelf]: a store above it returns the publication's runs as artifacts and reads them in
// place. [Write] writes a publication from a store's artifacts.
package publish
