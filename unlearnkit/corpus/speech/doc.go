// Package speech holds spoken commands of many speakers: what a model of spoken language learns, and whose speakers it
// is then asked to forget.
//
// A [Set] is one language's clips with speaker, text and intent, in parts for training, validation and test. Whoever
// reads real recordings or makes synthetic ones calls [New] with the table and a function that opens a clip;
// [Set.Check] says in one line what is wrong with a table, [Set.Samples] gives the sound.
package speech
