// Package salmu512 reads the published data of SALMUBench in the layout of their downloads.
//
// There are two data sets. The training set has all sensitive rows in one split. The benchmark divides them into three
// splits, and has side files with additional information.
//
//	salmu-512-redistributed        sensitive, retain_synth
//	salmubench-512-redistributed   forget, holdout_association, holdout_identity, retain_synth
//
// Both are folders with Parquet files, data/forget-00000-of-00004.parquet and so on, whose columns are image (a struct
// with bytes and path), text, identity_id and file_name. The benchmark's other subsets are derived from these splits;
// see [Split].
//
// [Check] reports what is missing or wrong in a download. [Open] reads one:
//
//	data, err := salmu512.Open(folder)
//	rows, err := data.Rows(salmu512.ForgetIdentity)       // captions and identities, no images
//	for sample, err := range data.Samples(salmu512.Forget) // with images, in the order of the files
//	picture, err := data.Image(rows[7])                    // one image
package salmu512
