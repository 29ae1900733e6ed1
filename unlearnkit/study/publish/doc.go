// Package publish keeps the results of a study in a few files that others can open: what a run was and what it cost
// in a table of runs, raw scores and logs in Parquet files of many runs each, models and pictures under names that say
// what they are.
//
//	runs.csv              one row a run: its key, method, repetition, machine, cost, and the spec that gives the key
//	files.csv             one row a file of a run: where it is, and its SHA-256
//	builds.csv            the modules of the programs that made the runs
//	scores/delete.parquet rows of many runs; the first columns say of which
//
// A publication is a [store.Shelf]: below a store its runs are artifacts like any other, read where they lie. [Write]
// makes one of a store's artifacts.
package publish
