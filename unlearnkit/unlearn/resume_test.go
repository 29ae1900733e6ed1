package unlearn_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/traintest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// repaired returns a method of two phases that both read the frozen model. It has everything that a resumed run must
// restore.
func repaired() contrastive.Method {
	near := func(m contrastive.Models, b unlearn.Batch, stream string) *graph.Node {
		image := b.Of(stream, contrastive.Image)
		return contrastive.SquaredError(m.Policy.Image(image), m.Reference.Image(image))
	}
	return contrastive.Method{
		Entry: catalogue.Entry{Name: "repaired"}, Reference: true,
		Phases: func(*unlearn.Plan) ([]contrastive.Phase, error) {
			push := contrastive.Phase{
				Name: "push", Streams: []string{unlearn.Forget, unlearn.Retain}, Batch: 2, Rate: optim.Constant(0.01),
				Loss: func(m contrastive.Models, b unlearn.Batch) *graph.Node {
					images := b.Of(unlearn.Forget, contrastive.Image)
					captions := b.Shuffled(b.Of(unlearn.Forget, contrastive.Caption))
					return graph.Sub(near(m, b, unlearn.Retain), contrastive.Contrast(m.Policy, images, captions))
				},
			}
			pull := contrastive.Phase{
				Name: "pull", Streams: []string{unlearn.Retain, unlearn.Forget}, Batch: 3,
				Rate: optim.Linear{Peak: 0.01, Steps: 60},
				Loss: func(m contrastive.Models, b unlearn.Batch) *graph.Node {
					return graph.Add(near(m, b, unlearn.Forget), tied(m, b, unlearn.Retain))
				},
			}
			return []contrastive.Phase{push, pull}, nil
		},
	}
}

// large returns a run of 50 and 3·34 steps.
func large(t *testing.T) contrastive.Job {
	j := unlearntest.NewJob(t, repaired(), 1, 2, 3)
	j.Task = unlearntest.Task(unlearntest.Noise("forget", 100), unlearntest.Noise("retain", 100))
	return j
}

const process = "UNLEARN_TEST_FOLDER"

func TestRunInAProcess(t *testing.T) {
	folder := os.Getenv(process)
	if folder == "" {
		t.Skip("part of the test with kills")
	}
	unlearntest.RunToBeKilled(t, large(t), folder)
}

func TestResume_Killed(t *testing.T) {
	unlearntest.Watch(t)
	unlearntest.CompareKilled(t, large(t), func(folder string) []int {
		return traintest.Kill(t, "TestRunInAProcess", []string{process + "=" + folder}, 6, 30)
	}, "policy-1", "policy-2", "policy-3", "reference-1", "reference-2", "reference-3")
}

// A resumed run is judged at the budget where it continues, and at later budgets.
func TestResume_Budgets(t *testing.T) {
	unlearntest.Watch(t)
	folder := t.TempDir()
	var last contrastive.Job
	for _, test := range []struct {
		after int // number of steps after which the run is interrupted: 50 in the first phase, then 34 per pass
		want  []int
	}{{20, nil}, {60, nil}, {84, []int{1}}, {90, []int{1}}, {130, []int{2}}, {1000, []int{3}}} {
		last = large(t)
		last.Folder = folder
		called, err := unlearntest.Cancelled(t, last, test.after)
		if !slices.Equal(called, test.want) || errors.Is(err, context.Canceled) != (test.after < 1000) || err != nil &&
			strings.Contains(err.Error(), "\n") {
			t.Errorf("to step %d: judged at %v, want %v; %v", test.after, called, test.want, err)
		}
	}
	whole := large(t)
	if _, err := whole.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := unlearntest.Contents(t, whole.Store, unlearn.Policy)
	got := unlearntest.Contents(t, last.Store, unlearn.Policy)
	if names := unlearntest.Differing(want, got); len(names) > 0 {
		t.Errorf("after five interruptions %v differ", names)
	}
}

func TestResume_OtherCheckpoint(t *testing.T) {
	unlearntest.Watch(t)
	for name, change := range map[string]func(j *contrastive.Job){
		"another identity": func(j *contrastive.Job) { j.Identity = "another" },
		"another start": func(j *contrastive.Job) {
			bias := j.Store.GetVariable("/" + unlearn.Policy + "/image/bias")
			values := tensors.MustCopyFlatData[float32](bias.MustValue())
			values[0]++
			if err := bias.SetValue(tensors.FromFlatDataAndDimensions(values, len(values))); err != nil {
				t.Fatal(err)
			}
		},
	} {
		j := large(t)
		j.Folder = t.TempDir()
		if _, err := unlearntest.Cancelled(t, j, 10); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		other := large(t)
		other.Folder = j.Folder
		change(&other)
		if _, err := other.Run(t.Context()); err == nil ||
			!strings.Contains(err.Error(), "belongs to another training") || strings.Contains(err.Error(), "\n") {
			t.Errorf(`%s: got the error %v, want one with "belongs to another training"`, name, err)
		}
	}
	j := large(t)
	j.Folder = t.TempDir()
	if _, err := unlearntest.Cancelled(t, j, 10); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "belongs to another training") {
		t.Errorf("from a policy on the way: %v", err)
	}
}
