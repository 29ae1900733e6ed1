// Package judge scores the outputs of models with a language model behind an endpoint, and stores its answers.
//
// An [Endpoint] speaks the protocol of OpenAI's chat completions, as do several commercial services and self-hosted
// servers. [Answers] is a file of answers keyed by their prompts: a table can be recomputed without the endpoint, and
// an interrupted run pays for no answer twice. [Remembering] combines both into a judge of package metric, and [All]
// judges many outputs at once:
//
//	answers, err := judge.OpenAnswers("answers.jsonl")
//	endpoint := &judge.Endpoint{Base: "http://localhost:8000/v1", Model: "gemma-3-27b"}
//	judgments, err := judge.All(ctx, judge.NewRemembering(endpoint, endpoint.Model, answers), cases, 4, nil)
package judge
