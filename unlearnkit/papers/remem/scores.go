package remem

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Names of files with scores.
const (
	AnswersFile = "answers.parquet"
	secretsFile = "secrets.parquet"
	choicesFile = "choices.parquet"
)

// Parts of the questions. PartForget, PartRetain and PartTest are as in the paper, for a model that is to forget
// people.
const (
	PartForget      = "forget"       // D_f: training questions about the people to forget
	PartRetain      = "retain"       // D'_r: a question per attribute and hop about each of the other people
	PartTest        = "test"         // D_t: unseen wording and layouts, about the people to forget
	PartTrain       = "train"        // D: training questions about all people
	PartParaphrase  = "paraphrase"   // other wording, with training pictures
	PartReverse     = "reverse"      // questions that give a value and ask for the name
	PartFirstPerson = "first person" // questions as if asked by the person in the picture
	PartUnknown     = "unknown"      // questions about strangers
)

// Answer holds a model's answer to a question, with its scores.
type Answer struct {
	ID        string  `parquet:"id,dict"`
	Part      string  `parquet:"part,dict"`
	Hop       string  `parquet:"hop,dict"`
	Attribute string  `parquet:"attribute,dict"`
	Identity  int32   `parquet:"identity,dict"`
	Question  string  `parquet:"question,dict"`
	Reference string  `parquet:"reference,dict"` // true answer
	Keyword   string  `parquet:"keyword,dict"`   // part of the true answer that counts
	Output    string  `parquet:"output,dict"`    // model's answer
	LogProb   float32 `parquet:"log_prob"`       // mean log-probability of the true answer's tokens

	// Scores that [Answer.Measure] computes.
	Right  bool    `parquet:"right"`      // the output contains the keyword
	Recall float32 `parquet:"rouge"`      // ROUGE-L recall of the output, as in TOFU and FIUBench
	F1     float32 `parquet:"rouge_f1"`   // ROUGE-L F1, as in MLLMU-Bench
	Judged float32 `parquet:"rule_judge"` // score of the rule judge, from 0 to 100
}

// Measure compares the model's output with the true answer. The keyword must match a whole word or number, so that
// "female" does not contain "male". A question about a stranger has no keyword: a refusal is right.
func (a *Answer) Measure() error {
	rouge := metric.ROUGEL(a.Reference, a.Output)
	if a.Part == PartUnknown {
		a.Recall, a.F1, a.Right, a.Judged = float32(rouge.Recall), float32(rouge.F1), metric.IsRefusal(a.Output), 0
		if a.Right {
			a.Judged = 100
		}
		return nil
	}
	judgment, err := metric.RuleJudge{}.Judge(context.Background(), metric.JudgeCase{Question: a.Question,
		GroundTruth: a.Reference, Output: a.Output, PII: []string{a.Keyword}})
	a.Right = metric.KeywordMatchWhole(a.Output, a.Keyword) == 1
	a.Recall, a.F1, a.Judged = float32(rouge.Recall), float32(rouge.F1), float32(judgment.Score)
	return err
}

// Secret holds the rank of a person's true value among all values of an attribute in the world.
type Secret struct {
	Part       string  `parquet:"part,dict"` // "forget", or "train" if the model is asked about all people
	Hop        string  `parquet:"hop,dict"`
	Attribute  string  `parquet:"attribute,dict"`
	Identity   int32   `parquet:"identity,dict"`
	Rank       int32   `parquet:"rank,dict"`
	Candidates int32   `parquet:"candidates,dict"`
	Tokens     int32   `parquet:"tokens,dict"`
	Inverse    float32 `parquet:"inverse_perplexity"` // inverse perplexity of the true value
	MinK       float32 `parquet:"min_k"`              // mean probability of the value's least likely tenth of tokens
}

// Choice holds the option of a multiple-choice question that a model finds most likely.
type Choice struct {
	ID       string `parquet:"id,dict"`
	Rotation int32  `parquet:"rotation,dict"` // number of positions by which the options were rotated
	Truth    int32  `parquet:"truth,dict"`
	Chosen   int32  `parquet:"chosen,dict"`
}

// RelearntFile returns the name of the file with the answers after a number of relearning passes.
func RelearntFile(passes int) string { return fmt.Sprintf("answers-%d.parquet", passes) }

// WriteAnswers writes one row per answer.
func WriteAnswers(path string, answers []Answer) error { return safefile.WriteRows(path, answers) }

// Scores holds the raw scores of a model.
type Scores struct {
	Answers []Answer
	Secrets []Secret
	Choices []Choice
}

// Write writes all scores to files, at the paths that path returns for their names.
func (s Scores) Write(path func(name string) string) error {
	if err := WriteAnswers(path(AnswersFile), s.Answers); err != nil {
		return err
	}
	if len(s.Secrets) > 0 {
		if err := safefile.WriteRows(path(secretsFile), s.Secrets); err != nil {
			return err
		}
	}
	if len(s.Choices) > 0 {
		return safefile.WriteRows(path(choicesFile), s.Choices)
	}
	return nil
}

// ReadScores reads the files that Write wrote. If a file of secrets or choices is missing, the scores have no such
// rows.
func ReadScores(artifact *store.Artifact) (Scores, error) {
	s, _, err := readScores(artifact)
	return s, err
}

// readScores is like [ReadScores] but also returns the files as tables.
func readScores(artifact *store.Artifact) (s Scores, tables map[string]*safefile.Frame, err error) {
	tables = map[string]*safefile.Frame{}
	for _, name := range []string{AnswersFile, secretsFile, choicesFile} {
		if name != AnswersFile && !artifact.Has(name) {
			continue
		}
		if tables[name], err = artifact.ReadTable(name); err != nil {
			return s, nil, err
		}
		switch name {
		case AnswersFile:
			s.Answers, err = safefile.RowsOf[Answer](tables[name])
		case secretsFile:
			s.Secrets, err = safefile.RowsOf[Secret](tables[name])
		default:
			s.Choices, err = safefile.RowsOf[Choice](tables[name])
		}
		if err != nil {
			return s, nil, err
		}
	}
	return s, tables, nil
}
