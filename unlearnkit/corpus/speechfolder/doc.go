// Package speechfolder reads data sets of spoken commands from folders, in the layouts of their downloads.
//
// [Open] detects which data set a folder contains. It reads the tables and returns a [speech.Set], which reads the
// sound of a clip on demand. The layouts are:
//
//	Fluent Speech Commands   data/train_data.csv, valid_data.csv and test_data.csv with the columns path,
//	                         speakerId, transcription, action, object and location; WAV files in wavs/speakers
//	SLURP                    dataset/slurp/train.jsonl, devel.jsonl and test.jsonl, one sentence per line with a
//	                         list of its recordings; metadata.json in the same folder with the speakers; FLAC
//	                         files in audio/slurp_real, with names …-headset.flac for the near microphone
//	ITALIC                   hard_speaker_train.json, _validation.json and _test.json, one clip per line, and WAV
//	                         files in recordings; or Parquet files with the sound in them in hard_speaker
//	Speech-MASSIVE           Parquet files with the sound in them, in de-DE or fr-FR:
//	                         train-00000-of-00009.parquet, validation-… and test-…; the test files may be in a
//	                         second download, Speech-MASSIVE-test in the same folder as Speech-MASSIVE
//
// The layouts follow the publishers' texts and the released code of UnSLU-BENCH (arXiv:2505.15700). Three points are
// undocumented and follow common practice: the names recordings/ID.wav of ITALIC's recordings; the names of Parquet
// files for ITALIC, which its publisher does not offer; and the use of SLURP's recordings by both microphones in the
// benchmark.
//
// [Parts] determines how training, validation and test are chosen from the published parts. The benchmark splits SLURP
// anew by speaker, and its notebooks and its runner use different test clips of Speech-MASSIVE and ITALIC. [Check]
// examines a download and reports what is missing or wrong, and which speakers the benchmark's rule could draw to be
// forgotten.
package speechfolder
