package run

import "testing"

func TestJob_Command(t *testing.T) {
	j := job{Words: []string{"unlearnlab", "run", "concealment", "--method", "esd-x of Killian's"}}
	if got, want := j.Command(), `unlearnlab run concealment --method 'esd-x of Killian'\''s'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
