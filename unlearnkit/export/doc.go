// Package export writes data sets and models in the folder formats of other libraries.
//
// A [Dataset] becomes a folder that the library Hugging Face datasets can load. Each split is a folder with pictures or
// clips and metadata.jsonl, or one JSON Lines file. The data set's README.md lists the splits, and its croissant.json
// describes the columns. A [World] has the data and models of one repetition of a study.
//
//	DIR/README.md
//	DIR/world-0/data/README.md
//	DIR/world-0/data/croissant.json
//	DIR/world-0/data/forget/metadata.jsonl
//	DIR/world-0/data/forget/p000_000.png
//	DIR/world-0/models/original/config.json
//	DIR/world-0/models/original/model.safetensors
package export
