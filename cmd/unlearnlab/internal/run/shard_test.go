package run

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func TestShardOf(t *testing.T) {
	slurm := map[string]string{"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "3"}
	job := map[string]string{"JOB_COMPLETION_INDEX": "0"}
	for _, test := range []struct {
		flag        string
		environment map[string]string
		want        study.Shard
		refused     bool
	}{
		{"", nil, study.Shard{}, false},
		{"2/8", nil, study.Shard{Index: 1, Of: 8}, false},
		{"2/8", slurm, study.Shard{Index: 1, Of: 8}, false},
		{"", slurm, study.Shard{Index: 2, Of: 4}, false},
		{"4", job, study.Shard{Index: 0, Of: 4}, false},
		{"", job, study.Shard{}, false}, // Kubernetes does not set the number of shards
		{"4", nil, study.Shard{}, true},
		{"0/8", nil, study.Shard{}, true},
		{"9/8", nil, study.Shard{}, true},
		{"1/0", nil, study.Shard{}, true},
		{"a/b", nil, study.Shard{}, true},
		{"2", slurm, study.Shard{}, true}, // the array's third task, of two shards
	} {
		got, err := shardOf(test.flag, func(name string) string { return test.environment[name] })
		if (err != nil) != test.refused || err == nil && got != test.want {
			t.Errorf("%q in %v: got %+v, %v; want %+v", test.flag, test.environment, got, err, test.want)
		}
	}
}
