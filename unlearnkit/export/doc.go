// Package export writes data sets and models in the folder formats of other libraries.
//
// A [Dataset] becomes a folder that Hugging Face datasets loads: one folder a split with pictures or clips and
// metadata.jsonl, or one JSON Lines file a split. The folder's README.md names the splits, and its croissant.json
// describes the columns. A [World] is what can be exported of one repetition of a study. Package export knows no paper.
//
//	DIR/README.md
//	DIR/world-0/data/README.md
//	DIR/world-0/data/croissant.json
//	DIR/world-0/data/forget/metadata.jsonl
//	DIR/world-0/data/forget/p000_000.png
//	DIR/world-0/models/original/config.json
//	DIR/world-0/models/original/model.safetensors
package export
