// Package study runs and evaluates studies of papers. A [Plan] holds runs that depend on each other and are computed
// once. A [Study] describes a paper's tables, claims and presets. A [Grid] tests the cells of a table of unlearning
// methods against a target model.
//
// Each paper has its own package below unlearnkit/papers. This package contains nothing specific to a paper.
package study
