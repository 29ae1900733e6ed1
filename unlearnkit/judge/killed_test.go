package judge_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/judge"
)

// Environment variables that configure the child process.
const (
	killedServer  = "UNLEARNLAB_JUDGE_SERVER"
	killedAnswers = "UNLEARNLAB_JUDGE_ANSWERS"
)

// outputsToKill is the number of outputs that the killed process judges, atOnce at the same time.
const outputsToKill, atOnce = 60, 4

func TestProcessThatIsKilled(t *testing.T) {
	if os.Getenv(killedServer) == "" {
		t.Skip("runs in a process of other tests")
	}
	endpoint := &judge.Endpoint{Base: os.Getenv(killedServer), Model: "small"}
	remembering := judge.NewRemembering(endpoint, "small", open(t, os.Getenv(killedAnswers)))
	if _, err := judge.All(t.Context(), remembering, outputs(outputsToKill), atOnce, nil); err != nil {
		t.Fatal(err)
	}
}

// A process is killed at every fifth request that it sends. It is restarted until it finishes.
func TestRun_Killed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	var mu sync.Mutex
	var now *exec.Cmd
	requests := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		requests++
		if requests%5 == 0 {
			now.Process.Kill() //nolint:errcheck // the process may have ended
		}
		mu.Unlock()
		says(`{"score": 3}`)(w, r)
	})
	kills := 0
	for ; ; kills++ {
		process := exec.Command(os.Args[0], "-test.run", "^TestProcessThatIsKilled$")
		process.Env = append(os.Environ(), killedServer+"="+s.URL+"/v1", killedAnswers+"="+path)
		mu.Lock()
		now = process
		err := process.Start()
		mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		if process.Wait() == nil {
			break
		}
		if kills > 2*outputsToKill {
			t.Fatalf("no end after %d processes", kills)
		}
	}
	kept := open(t, path)
	if lacks := judge.NewRemembering(nil, "small", kept).Lacks(outputs(outputsToKill)); lacks != 0 || kills < 5 {
		t.Errorf("%d answers lack after %d kills", lacks, kills)
	}
	mu.Lock()
	defer mu.Unlock()
	if requests < outputsToKill || requests > outputsToKill+kills*atOnce {
		t.Errorf("%d requests for %d outputs and %d kills", requests, outputsToKill, kills)
	}
}
