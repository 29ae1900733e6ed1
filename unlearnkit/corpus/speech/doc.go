// Package speech holds spoken commands of many speakers: what a model of spoken language learns, and whose speakers it
// is then asked to forget.
//
// A [Set] is one language's clips with speaker, text and intent, in parts for training, validation and test. Whoever
// reads real recordings or makes synthetic ones calls [New] with the table and a function that opens a clip;
// [Set.Check] says in one line what is wrong with a table, [Set.Samples] gives the sound.
//
// [Make] makes small worlds from recordings that come with the program. Each has the role of one of the data sets of
// UnSLU-BENCH (arXiv:2505.15700):
//
//	Easy                     Fluent Speech Commands: clean labels, hardly anything to know by heart
//	Hard                     SLURP*: noisy labels, rare intents, far microphones, sentences never heard in training
//	Italian, German, French  ITALIC and the two parts of Speech-MASSIVE: other languages, fewer intents
//
// [Set.Resplit] and [ForgetRule] are the benchmark's ways to split by speaker and to draw whom to forget. Its rule asks
// for speakers with more than 100 clips; those of the small worlds have 60 unless Clips is raised, and a rule for them
// says so: ForgetRule{MoreThan: 50, Share: .05}.
package speech
