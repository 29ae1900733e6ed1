// Package speechfolder reads data sets of spoken commands from folders, as they lie on disk after a download.
//
// It gives a [speech.Set]: the tables are read at once, the sound of a clip when somebody asks for it. [Open] finds out
// which of the data sets a folder holds:
//
//	Fluent Speech Commands   data/train_data.csv, valid_data.csv and test_data.csv with the columns path,
//	                         speakerId, transcription, action, object and location; WAV files in wavs/speakers
//	SLURP                    dataset/slurp/train.jsonl, devel.jsonl and test.jsonl, a sentence a line with a
//	                         list of its recordings; metadata.json beside them, which knows who speaks; FLAC
//	                         files in audio/slurp_real, those of the near microphone named …-headset.flac
//	ITALIC                   hard_speaker_train.json, _validation.json and _test.json, a clip a line, and WAV
//	                         files in recordings; or Parquet files with the sound in them in hard_speaker
//	Speech-MASSIVE           Parquet files with the sound in them, in de-DE or fr-FR:
//	                         train-00000-of-00009.parquet, validation-… and test-…; the latter may lie in the
//	                         download that has them, Speech-MASSIVE-test beside Speech-MASSIVE
//
// The layouts are those that the publishers' own texts and the released code of UnSLU-BENCH (arXiv:2505.15700)
// describe. Three things are not in them and are taken from how these sets are used elsewhere: that a recording of
// ITALIC is called recordings/ID.wav; what Parquet files of ITALIC are called, which its publisher does not offer; and
// whether the benchmark took SLURP's recordings of both microphones, as is done here.
//
// [Parts] says how the published parts become those for training, validation and test: the benchmark splits SLURP anew
// by speaker, and its notebooks and its runner differ in where the test clips of Speech-MASSIVE and ITALIC come from.
// [Check] looks through a download and says what is missing or wrong in it, and whom the benchmark's rule could draw to
// be forgotten.
package speechfolder
