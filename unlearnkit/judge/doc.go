// Package judge scores the outputs of models by a language model behind an endpoint, whose answers it keeps.
//
// An [Endpoint] is what speaks the protocol of OpenAI's chat completions: the services of several makers and the
// servers that people run by themselves. [Answers] is a file of what was answered, under what was asked, so that a
// table is made again without the endpoint and a run that was interrupted pays for nothing twice. [Remembering] joins
// them to a judge of package metric, and [All] judges many outputs at once:
//
//	answers, err := judge.OpenAnswers("answers.jsonl")
//	endpoint := &judge.Endpoint{Base: "http://localhost:8000/v1", Model: "gemma-3-27b"}
//	judgments, err := judge.All(ctx, judge.NewRemembering(endpoint, endpoint.Model, answers), cases, 4, nil)
package judge
