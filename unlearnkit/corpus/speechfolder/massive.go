package speechfolder

import (
	"os"
	"path/filepath"
)

// massiveColumns lists the possible column names in Speech-MASSIVE's tables. The published files lack the column
// intent, which the benchmark's code reads.
var massiveColumns = columns{text: {"utt"}, intent: {"intent_str", "intent", "intent_idx"}, speaker: {"speaker_id"}}

// readMASSIVE reads the files of one language in Speech-MASSIVE. The test files are published separately, as
// Speech-MASSIVE-test.
func (t *table) readMASSIVE() error {
	folder, err := filepath.Abs(t.dir)
	if err != nil {
		return err
	}
	test := t.dir
	if files, err := shards(t.dir, "test"); err == nil && len(files) == 0 {
		beside := filepath.Join(filepath.Dir(folder)+"-test", t.kind.locale())
		if _, err := os.Stat(beside); err == nil {
			test = beside
		}
	}
	return t.readParquet(massiveColumns, t.dir, test)
}
