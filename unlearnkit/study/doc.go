// Package study is the engine of the studies of papers. A [Plan] holds runs that depend on each other and are computed
// once. A [Study] describes a paper's tables, claims and presets. A [Grid] certifies a table of methods against a
// target.
//
// A paper is a package below unlearnkit/papers. The engine knows none of them.
package study
