// Package speech represents data sets of spoken commands by many speakers. Models of spoken language are trained on
// them and then unlearn some speakers.
//
// A [Set] lists the clips of one language with speaker, text and intent, divided into parts for training, validation
// and test. To read real recordings or make synthetic ones, call [New] with the table and a function that opens a clip.
// [Set.Check] returns a one-line error if a table is not valid, and [Set.Samples] returns the sound.
//
// [Make] generates small worlds from recordings that are part of the program. Each is the counterpart of one of the
// data sets of UnSLU-BENCH (arXiv:2505.15700):
//
//	Easy                     Fluent Speech Commands: clean labels, hardly anything to memorise
//	Hard                     SLURP*: noisy labels, rare intents, far microphones, sentences never heard in training
//	Italian, German, French  ITALIC and the two parts of Speech-MASSIVE: other languages, fewer intents
//
// [Set.Resplit] splits a set by speaker, and [ForgetRule] draws the speakers to forget, both by the benchmark's rules.
// The benchmark draws only speakers with more than 100 clips. By default, speakers of the small worlds have 60 clips,
// so that ForgetRule{MoreThan: 50, Share: .05} fits them.
package speech
