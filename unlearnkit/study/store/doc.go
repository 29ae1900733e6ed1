// Package store keeps results on disk under a key that says what they are.
//
// A result, an artifact, is made by a stage from a spec that determines it fully. The key is the SHA-256 of the
// canonical JSON of both, so that the same question finds the same answer in every process and on every machine that
// shares the folder:
//
//	lab, err := store.Open(folder)
//	scores, err := lab.Do(ctx, stage, spec, inputs, func(ctx context.Context, w *store.Work) error {
//		w.Note("examples", 1536)
//		return safefile.WriteParquet(w.Path("scores.parquet"), columns)
//	})
//	frame, err := scores.ReadTable("scores.parquet")
//
// An artifact appears whole or not at all: it is written in a folder beside the others, everything reaches the disk,
// and one rename publishes it. A process that is killed leaves nothing that is taken for a result; what it put into
// [Work.Resume] waits for the next attempt. Two processes that want the same artifact make it once: the second waits on
// a lock that the kernel releases when its holder dies. What was stored is verified by the SHA-256 of every file on its
// first use. Below a store lie shelves of artifacts that are only read, such as those of package publication.
//
// In the store's folder:
//
//	store.json                    what the folder is and its format
//	artifacts/3f/3f2a…/           one artifact: its files and manifest.json
//	work/3f2a…/                   one attempt: new/ becomes the artifact, resume/ survives it
//	locks/3f2a…                   held while the artifact is made
//	damaged/3f2a….1/              what Repair moved aside
//	copies/3f2a…/                 files from a shelf, for who needs paths
//	settings.json                 where data sets of the user lie
package store
