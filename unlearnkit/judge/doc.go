// Package judge lets a language model, called over HTTP, score the outputs of other models. It stores the language
// model's answers.
//
// An [Endpoint] uses the protocol of OpenAI's chat completions, which several commercial services and self-hosted
// servers offer. [Answers] is a file of answers with their prompts as keys. With this file, a table can be recomputed
// without the endpoint, and an interrupted run does not pay for an answer twice. [Remembering] combines both into a
// [metric.Judge], and [All] judges many outputs in parallel:
//
//	answers, err := judge.OpenAnswers("answers.jsonl")
//	endpoint := &judge.Endpoint{Base: "http://localhost:8000/v1", Model: "gemma-3-27b"}
//	judgments, err := judge.All(ctx, judge.NewRemembering(endpoint, endpoint.Model, answers), cases, 4, nil)
package judge
