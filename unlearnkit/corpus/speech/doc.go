// Package speech represents data sets of spoken commands by many speakers. Models of spoken language are trained on
// them and then unlearn some speakers.
//
// A [Set] lists the clips of one language with speaker, text and intent, divided into training, validation and test. To
// use real recordings or generate sound, call [New] with the table and a function that opens a clip. [Set.Check]
// returns a one-line error if a table is not valid, and [Set.Samples] returns the sound.
//
// [Make] generates small worlds from recordings embedded in the program. Each is the counterpart of a data set in
// UnSLU-BENCH (arXiv:2505.15700):
//
//	Easy                     Fluent Speech Commands: clean labels, hardly anything to memorise
//	Hard                     SLURP*: noisy labels, rare intents, far microphones, sentences never heard in training
//	Italian, German, French  ITALIC and the two parts of Speech-MASSIVE: other languages, fewer intents
//
// [Set.Resplit] splits a set by speaker, and [ForgetRule] draws the speakers to forget. Both follow the benchmark's
// rules. The benchmark draws only speakers with more than 100 clips. Speakers in the small worlds have 60 clips by
// default, for which ForgetRule{MoreThan: 50, Share: .05} is suitable.
package speech
