// Package speech holds spoken commands of many speakers: the training data of models of spoken language, which are then
// asked to forget speakers.
//
// A [Set] is one language's clips with speaker, text and intent, in parts for training, validation and test. To read
// real recordings or make synthetic ones, call [New] with the table and a function that opens a clip. [Set.Check]
// returns a one-line error if a table is not valid, and [Set.Samples] returns the sound.
//
// [Make] makes small worlds from recordings that are part of the program. Each is the counterpart of one of the data
// sets of UnSLU-BENCH (arXiv:2505.15700):
//
//	Easy                     Fluent Speech Commands: clean labels, hardly anything to memorise
//	Hard                     SLURP*: noisy labels, rare intents, far microphones, sentences never heard in training
//	Italian, German, French  ITALIC and the two parts of Speech-MASSIVE: other languages, fewer intents
//
// [Set.Resplit] and [ForgetRule] are the benchmark's rules to split by speaker and to draw the speakers to forget. Its
// rule requires speakers with more than 100 clips. Speakers of the small worlds have 60 unless Clips is larger, so a
// rule for them is ForgetRule{MoreThan: 50, Share: .05}.
package speech
