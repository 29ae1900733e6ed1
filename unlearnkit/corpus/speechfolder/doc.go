// Package speechfolder reads data sets of spoken commands from folders, in the layouts of their downloads.
//
// It returns a [speech.Set]: it reads the tables at once, and the sound of a clip on demand. [Open] detects which of
// the data sets a folder has:
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
// The layouts follow the publishers' own texts and the released code of UnSLU-BENCH (arXiv:2505.15700). Three things
// are not in them and follow the usual handling of these sets: that a recording of ITALIC is named recordings/ID.wav;
// the names of Parquet files of ITALIC, which its publisher does not offer; and that the benchmark used SLURP's
// recordings of both microphones.
//
// [Parts] defines how the published parts become those for training, validation and test. The benchmark splits SLURP
// anew by speaker, and its notebooks and its runner use different test clips of Speech-MASSIVE and ITALIC. [Check]
// examines a download and reports what is missing or wrong in it, and which speakers the benchmark's rule could draw to
// be forgotten.
package speechfolder
