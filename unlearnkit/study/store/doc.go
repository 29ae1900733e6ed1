// Package store stores results on disk under a key that identifies them.
//
// A result is called an artifact. It is made by a stage from a spec, which determines the artifact completely. The key
// is the SHA-256 of the stage and the spec as canonical JSON. Equal specs therefore find the same artifact in every
// process and on every machine that shares the folder:
//
//	lab, err := store.Open(folder)
//	scores, err := lab.Do(ctx, stage, spec, inputs, func(ctx context.Context, w *store.Work) error {
//		w.Note("examples", 1536)
//		return safefile.WriteParquet(w.Path("scores.parquet"), columns)
//	})
//	frame, err := scores.ReadTable("scores.parquet")
//
// An artifact is either complete or absent: it is written in a temporary folder, synced to the disk, and published by
// one rename. If a process is killed, no partial artifact is published, and the next attempt finds the files in
// [Work.Resume]. Two processes that want the same artifact make it once: the second waits on a lock that the kernel
// releases when its holder dies. The SHA-256 of every stored file is verified when an artifact is first used. A store
// can be opened above read-only shelves of artifacts, such as those of package publish. With [Shared], machines that
// have no folder in common share artifacts through a bucket, with the same guarantees.
//
// Files in the store's folder:
//
//	store.json                    type and format of the folder
//	artifacts/3f/3f2a…/           one artifact: its files and manifest.json
//	work/3f2a…/                   one attempt: new/ becomes the artifact, resume/ survives it
//	locks/3f2a…                   locked while the artifact is made
//	damaged/3f2a….1/              artifacts that Repair moved aside
//	copies/3f2a…/                 files of a shelf, copied for callers that need paths
//	fetch/3f2a…/                  part of an artifact that is being fetched, see Shared
//	settings.json                 folders of the user's data sets
package store
