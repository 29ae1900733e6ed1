// Package study runs and evaluates studies of papers. A [Plan] holds runs that depend on each other and are computed
// once. A [Study] describes a paper's tables, claims and presets. A [Grid] tests the cells of a table of unlearning
// methods against a target model.
//
// The smallest study has one table, which Rows fills; internal/testkit/third defines one in a hundred lines. Everything
// else that a study has is a capability, which may be absent. The examples of [Study] add capabilities one by one.
//
// Each paper has its own package below unlearnkit/papers. This package contains nothing specific to a paper.
package study
