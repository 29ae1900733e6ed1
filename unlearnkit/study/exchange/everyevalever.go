package exchange

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path"
	"path/filepath"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// eeeVersion is the version of Every Eval Ever's schema.
const eeeVersion = "0.3.0"

// A Record describes one evaluation of a model in the schema of Every Eval Ever.
type Record struct {
	SchemaVersion      string        `json:"schema_version"`
	EvaluationID       string        `json:"evaluation_id"`
	RetrievedTimestamp string        `json:"retrieved_timestamp"` // seconds since 1970
	Source             recordSource  `json:"source_metadata"`
	Library            recordLibrary `json:"eval_library"`
	Model              recordModel   `json:"model_info"`
	Results            []Result      `json:"evaluation_results"`
	Samples            *sampleFile   `json:"detailed_evaluation_results,omitempty"`
}

type recordSource struct {
	Name         string            `json:"source_name"`
	Type         string            `json:"source_type"`
	Organization string            `json:"source_organization_name"`
	Relationship string            `json:"evaluator_relationship"`
	Details      map[string]string `json:"additional_details"`
}

type recordLibrary struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type recordModel struct {
	Name      string            `json:"name"`
	ID        string            `json:"id"`
	Developer string            `json:"developer"`
	Details   map[string]string `json:"additional_details"`
}

// A Result is one metric in a record.
type Result struct {
	ID     string       `json:"evaluation_result_id"`
	Name   string       `json:"evaluation_name"`
	Data   resultData   `json:"source_data"`
	Metric resultMetric `json:"metric_config"`
	Score  Score        `json:"score_details"`
}

type resultData struct {
	Name string `json:"dataset_name"`
	Type string `json:"source_type"`
}

type resultMetric struct {
	Description   string            `json:"evaluation_description,omitempty"`
	ID            string            `json:"metric_id"`
	Name          string            `json:"metric_name"`
	Unit          string            `json:"metric_unit,omitempty"`
	LowerIsBetter bool              `json:"lower_is_better"`
	Type          string            `json:"score_type"`
	Min           *float64          `json:"min_score"` // null if the metric has no bounds
	Max           *float64          `json:"max_score"`
	Details       map[string]string `json:"additional_details"`
}

// A Score is a value with its uncertainty.
type Score struct {
	Value       float64           `json:"score"`
	Details     map[string]string `json:"details"`
	Uncertainty *Uncertainty      `json:"uncertainty,omitempty"`
}

// Uncertainty is the uncertainty of a score.
type Uncertainty struct {
	Interval *Interval `json:"confidence_interval,omitempty"`
	Samples  int       `json:"num_samples"`
}

// Interval is a confidence interval.
type Interval struct {
	Lower  float64 `json:"lower"`
	Upper  float64 `json:"upper"`
	Level  float64 `json:"confidence_level"`
	Method string  `json:"method"`
}

type sampleFile struct {
	Format   string `json:"format"`
	Path     string `json:"file_path"`
	Hash     string `json:"hash_algorithm"`
	Checksum string `json:"checksum"`
	Rows     int    `json:"total_rows"`
}

// An Instance is the score of one example in the schema of Every Eval Ever.
type Instance struct {
	SchemaVersion  string            `json:"schema_version"`
	EvaluationID   string            `json:"evaluation_id"`
	ModelID        string            `json:"model_id"`
	EvaluationName string            `json:"evaluation_name"`
	ResultID       string            `json:"evaluation_result_id"`
	SampleID       string            `json:"sample_id"`
	Interaction    string            `json:"interaction_type"`
	Input          instanceInput     `json:"input"`
	Output         instanceOutput    `json:"output"`
	Attribution    []struct{}        `json:"answer_attribution"`
	Evaluation     InstanceScore     `json:"evaluation"`
	Metadata       map[string]string `json:"metadata"`
}

type instanceInput struct {
	Raw       string   `json:"raw"`
	Reference []string `json:"reference"`
}

type instanceOutput struct {
	Raw []string `json:"raw"`
}

// InstanceScore is the score of an example. Correct is true for a score of 1.
type InstanceScore struct {
	Score   float64 `json:"score"`
	Correct bool    `json:"is_correct"`
}

// WriteEveryEvalEver writes each model's record and samples below folder/data, and returns the paths of the records.
func (t Table) WriteEveryEvalEver(folder string) (paths []string, err error) {
	models := t.models()
	for i, name := range folders(models) {
		record := t.record(models[i], name)
		base := path.Join("data", slug("unlearnlab "+t.Study.Paper), record.Model.Developer, name,
			fileID(record.Model.ID+t.title()))
		file := filepath.Join(folder, filepath.FromSlash(base))
		if err := safefile.MakeFolder(filepath.Dir(file)); err != nil {
			return nil, err
		}
		samples, err := t.writeSamples(file+"_samples.jsonl", record, models[i])
		if err != nil {
			return nil, err
		}
		if samples.Rows > 0 {
			samples.Path = base + "_samples.jsonl"
			record.Samples = &samples
		}
		text, err := indented(record)
		if err != nil {
			return nil, err
		}
		err = safefile.WriteFile(file+".json", func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
		if err != nil {
			return nil, err
		}
		paths = append(paths, file+".json")
	}
	return paths, nil
}

// Records returns a record for each model, without samples.
func (t Table) Records() (records []Record) {
	models := t.models()
	for i, name := range folders(models) {
		records = append(records, t.record(models[i], name))
	}
	return records
}

// record returns the record of a model.
func (t Table) record(m model, name string) Record {
	id := fmt.Sprintf("unlearnlab/%s-%s-%s", t.Study.Paper, t.Preset, name)
	stamp := strconv.FormatInt(t.Time.Unix(), 10)
	r := Record{SchemaVersion: eeeVersion, RetrievedTimestamp: stamp,
		EvaluationID: fmt.Sprintf("%s/%s/%s", slug("unlearnlab "+t.Study.Paper+" table "+t.Number), id, stamp),
		Source: recordSource{Name: "unlearnlab", Type: "evaluation_run", Organization: "unlearnlab",
			Relationship: "first_party", Details: map[string]string{"paper": t.Study.Paper, "table": t.Number,
				"preset": t.Preset, "models": "trained by unlearnlab, not by the authors of the paper"}},
		Library: recordLibrary{"unlearnlab", t.Version},
		Model: recordModel{Name: m.name, ID: id, Developer: "unlearnlab", Details: map[string]string{
			"deployment_type": "self_deployed", "model_availability": "unknown"}}}
	if frame := t.Results.Frame(); frame != "" {
		r.Model.Details["differs_from_the_paper"] = frame
	}
	for _, c := range m.cells {
		r.Results = append(r.Results, t.result(id, c))
	}
	return r
}

// result converts a cell to the result of a metric.
func (t Table) result(id string, c certify.Cell) Result {
	m := t.metric(c.Column)
	result := Result{ID: id + "/" + slug(t.Number+" "+c.Column),
		Name: fmt.Sprintf("%s table %s %s", t.Study.Paper, t.Number, c.Column),
		Data: resultData{fmt.Sprintf("unlearnlab %s, preset %s", t.Study.Paper, t.Preset), "other"},
		Metric: resultMetric{Description: m.About, ID: slug("unlearnlab " + t.Study.Paper + " " + c.Column),
			Name: c.Column, LowerIsBetter: m.Better == report.Lower, Type: "continuous",
			Details: map[string]string{"better": better(m, c)}},
		Score: Score{Value: c.Estimate, Details: details(c), Uncertainty: &Uncertainty{Samples: c.N}}}
	if m.Share || m.Percent {
		least, most := 0.0, 1.0
		result.Metric.Unit = "proportion"
		if m.Percent {
			most, result.Metric.Unit = 100, "percent"
		}
		result.Metric.Min, result.Metric.Max = &least, &most
	}
	if !math.IsNaN(c.Lo) {
		result.Score.Uncertainty.Interval = &Interval{c.Lo, c.Hi, .95, c.Basis.String()}
	}
	return result
}

// writeSamples writes the outcomes of all cells of a model, one per line. If there are no outcomes, it writes no file.
func (t Table) writeSamples(file string, r Record, m model) (written sampleFile, err error) {
	tracer, can := t.Results.(study.Tracer)
	if !can {
		return written, nil
	}
	var text bytes.Buffer
	hash, rows := sha256.New(), 0
	lines := bufio.NewWriter(io.MultiWriter(&text, hash))
	encoder := json.NewEncoder(lines)
	encoder.SetEscapeHTML(false)
	for i, c := range m.cells {
		origin, err := tracer.Origin(t.Number, c.Row, c.Column)
		if err != nil {
			return written, err
		}
		if origin.Samples == nil {
			continue
		}
		for _, s := range origin.Samples() {
			if math.IsNaN(s.Value) || math.IsInf(s.Value, 0) {
				continue
			}
			if err := encoder.Encode(t.instance(r, r.Results[i], s)); err != nil {
				return written, err
			}
			rows++
		}
	}
	if err := lines.Flush(); err != nil || rows == 0 {
		return written, err
	}
	written = sampleFile{Format: "jsonl", Hash: "sha256", Checksum: hex.EncodeToString(hash.Sum(nil)), Rows: rows}
	return written, safefile.WriteFile(file, func(w io.Writer) error {
		_, err := text.WriteTo(w)
		return err
	})
}

// instance converts an outcome to an instance of the schema.
func (t Table) instance(r Record, result Result, s study.Sample) Instance {
	repetition := fmt.Sprintf("%s %d", t.Study.Repetitions.Singular, s.Repetition)
	id := repetition
	if s.ID != "" {
		id += ", " + s.ID
	}
	return Instance{SchemaVersion: eeeVersion, EvaluationID: r.EvaluationID, ModelID: r.Model.ID,
		EvaluationName: result.Name, ResultID: result.ID, SampleID: id, Interaction: "single_turn",
		Input: instanceInput{Raw: id, Reference: []string{}}, Output: instanceOutput{Raw: []string{}},
		Attribution: []struct{}{}, Evaluation: InstanceScore{s.Value, s.Value == 1},
		Metadata: map[string]string{"repetition": repetition, "unit": strconv.Itoa(s.Unit)}}
}

// fileID returns a name for a file in the format of a random UUID. Equal texts give equal names.
func fileID(text string) string {
	sum := sha256.Sum256([]byte(text))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// indented returns a value as indented JSON with a final newline.
func indented(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return text.Bytes(), err
}
