package run

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// patience is how long a shard waits for other shards by default.
const patience = time.Hour

// shardOf returns the shard that the flag names: I/N with I from 1, or N alone with the index from the scheduler's
// environment. Without the flag, a Slurm array's environment decides; without that too, the shard is the whole plan.
func shardOf(flag string, getenv func(string) string) (s study.Shard, err error) {
	index, of, divided := strings.Cut(flag, "/")
	switch {
	case flag == "" && getenv("SLURM_ARRAY_TASK_COUNT") == "":
		return s, nil
	case flag == "":
		of = getenv("SLURM_ARRAY_TASK_COUNT")
	case !divided:
		of = index
	}
	wrong := cli.Usagef("--shard %s: give it as 2/8, the second of eight; or as 8 in a Slurm array or an Indexed Job", flag)
	if s.Of, err = strconv.Atoi(of); err != nil || s.Of < 1 {
		return s, wrong
	}
	if divided {
		s.Index, err = strconv.Atoi(index)
		s.Index--
	} else {
		s.Index, err = indexFrom(getenv)
	}
	if err != nil || s.Index < 0 || s.Index >= s.Of {
		return s, wrong
	}
	return s, nil
}

// indexFrom returns the index, from 0, that Slurm or Kubernetes gave this task.
func indexFrom(getenv func(string) string) (int, error) {
	if task := getenv("SLURM_ARRAY_TASK_ID"); task != "" {
		index, err := strconv.Atoi(task)
		if first, problem := strconv.Atoi(getenv("SLURM_ARRAY_TASK_MIN")); problem == nil {
			index -= first
		}
		return index, err
	}
	return strconv.Atoi(getenv("JOB_COMPLETION_INDEX"))
}

// describe describes a shard for the first line of its output.
func describe(s study.Shard) string { return fmt.Sprintf("shard %d of %d", s.Index+1, s.Of) }
