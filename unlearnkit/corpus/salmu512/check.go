package salmu512

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
)

// A Finding is a problem with a download.
type Finding = datafolder.Finding

// Count holds the size of a split.
type Count struct {
	Split  Split `json:"split"`
	Rows   int   `json:"rows"`
	People int   `json:"people"`
}

// A Report is the result of [Check].
type Report struct {
	OK       bool                `json:"ok"` // no errors, but maybe warnings
	Dir      string              `json:"dir"`
	Kind     Kind                `json:"kind"`
	Splits   []Count             `json:"splits"`
	Images   int                 `json:"images"`  // number of images in the data
	Decoded  int                 `json:"decoded"` // number of decoded images
	Findings datafolder.Findings `json:"findings"`
}

// Check reads a whole download and lists everything that is missing, miscounted or malformed. It checks the first and
// last bytes of every image. It decodes images that look damaged or, if deep is set, all images, which takes minutes.
// It returns an error only if ctx ends.
func Check(ctx context.Context, dir string, deep bool) (*Report, error) {
	r := &Report{Dir: dir, Splits: []Count{}, Findings: datafolder.Findings{}}
	files, findings, err := list(dir)
	if err != nil {
		r.Findings = datafolder.Findings{datafolder.FailureAt(".", "%v", err)}
		return r, nil
	}
	r.Kind, r.Findings = files.kind, append(r.Findings, findings...)
	data := &Data{Dir: dir, Kind: files.kind, files: files, rows: map[Split][]Row{}}
	if files.kind == Benchmark {
		side, findings := readSide(dir)
		r.Findings = append(r.Findings, findings...)
		data.side = side
	}
	for _, split := range storedSplits[files.kind] {
		rows := []Row{}
		for shard, path := range files.shards[split] {
			if err := r.checkShard(ctx, path, deep, func(row Row) {
				row.Split, row.Index, row.shard = split, len(rows), shard
				rows = append(rows, row)
			}); err != nil {
				return nil, err
			}
		}
		data.rows[split] = rows
	}
	r.checkSplits(data)
	r.checkFileNames(data)
	if files.kind == Benchmark {
		r.checkPeople(data)
		r.checkSide(data)
	}
	r.OK = r.Findings.Usable()
	return r, nil
}

func (r *Report) checkShard(ctx context.Context, path string, deep bool, each func(Row)) error {
	where := filepath.Join("data", filepath.Base(path))
	var wrong datafolder.Findings
	err := readShard(path, true, func(row Row, image []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		each(row)
		r.Images++
		for _, empty := range []struct{ column, value string }{{columnText, strings.TrimSpace(row.Caption)},
			{columnFile, row.FileName}} {
			if empty.value == "" {
				wrong = append(wrong, datafolder.FailureAt(where, "row %d: the column %s is empty", row.place+1, empty.column))
			}
		}
		if deep || !endsWell(image) {
			r.Decoded++
			if _, err := decode(row.place, image); err != nil {
				wrong = append(wrong, datafolder.FailureAt(where, "%v", err))
			}
		}
		return nil
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		wrong = append(wrong, datafolder.FailureAt(where, "%s", strings.TrimPrefix(err.Error(), "read "+path+": ")))
	}
	r.Findings.Cases(wrong, "of this kind: download the file again")
	return nil
}

// endsWell reports whether an encoded image begins and ends like a PNG or JPEG file. A truncated image lacks the end.
func endsWell(content []byte) bool {
	within := func(begin, end string) bool {
		return bytes.HasPrefix(content, []byte(begin)) && bytes.HasSuffix(content, []byte(end))
	}
	return within("\x89PNG\r\n\x1a\n", "IEND\xaeB`\x82") || within("\xff\xd8", "\xff\xd9")
}

// checkSplits compares the numbers of rows and people in each split with the published numbers.
func (r *Report) checkSplits(data *Data) {
	for _, split := range data.Kind.Splits() {
		people, err := data.people(split)
		if err != nil {
			r.Findings = append(r.Findings, datafolder.FailureAt(string(split), "%v", err))
			continue
		}
		count := Count{split, len(data.rows[split]), len(people)}
		r.Splits = append(r.Splits, count)
		want, known := publishedSizes[data.Kind][split]
		if !known {
			continue
		}
		if !slices.Contains(want.rows, count.Rows) {
			r.Findings = append(r.Findings,
				datafolder.WarningAt(string(split), "%d rows, published were %s", count.Rows, either(want.rows)))
		}
		if want.people > 0 && want.people != count.People {
			r.Findings = append(r.Findings,
				datafolder.WarningAt(string(split), "%d people, published were %d", count.People, want.people))
		}
	}
}

func either(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, " or ")
}

// checkFileNames reports file names that occur in two rows, because the side files identify rows by file name.
func (r *Report) checkFileNames(data *Data) {
	seen := map[string]Split{}
	for _, split := range storedSplits[data.Kind] {
		var twice []string
		for _, row := range data.rows[split] {
			if _, there := seen[row.FileName]; there && row.FileName != "" {
				twice = append(twice, row.FileName)
			}
			seen[row.FileName] = split
		}
		r.warnCases(string(split), twice, "%d file names occur twice, such as %q")
	}
}

// checkPeople checks the benchmark's rules about which people are in which splits.
func (r *Report) checkPeople(data *Data) {
	forget, err := data.people(Forget)
	partly, err2 := data.people(HoldoutAssociation)
	wholly, err3 := data.people(HoldoutIdentity)
	if errors.Join(err, err2, err3) != nil {
		return // the error is already reported
	}
	in := func(people, others map[string]bool, want bool) (some []string) {
		for _, person := range slices.Sorted(maps.Keys(people)) {
			if others[person] == want {
				some = append(some, person)
			}
		}
		return some
	}
	r.warnCases(string(HoldoutIdentity), in(wholly, forget, true), "%d people also occur in forget, such as %q")
	r.warnCases(string(HoldoutAssociation), in(partly, forget, false), "%d people do not occur in forget, such as %q")
	for _, split := range []Split{Forget, HoldoutAssociation, HoldoutIdentity} {
		var nobody []string
		for _, row := range data.rows[split] {
			if row.Identity == "" {
				nobody = append(nobody, row.FileName)
			}
		}
		r.warnCases(string(split), nobody, "%d rows have no identity_id, such as the row of %q")
	}
}

// checkSide checks that the rows and the side files agree.
func (r *Report) checkSide(data *Data) {
	var fields, generic, strangers []string
	for _, split := range []Split{Forget, HoldoutAssociation, HoldoutIdentity} {
		for _, row := range data.rows[split] {
			if _, has := data.side.Fields[row.FileName]; !has {
				fields = append(fields, row.FileName)
			}
			if _, has := data.side.Generic[row.FileName]; !has {
				generic = append(generic, row.FileName)
			}
			if _, has := data.side.Identities[row.Identity]; !has && row.Identity != "" &&
				!slices.Contains(strangers, row.Identity) {
				strangers = append(strangers, row.Identity)
			}
		}
	}
	disjoint := map[string]bool{}
	for _, row := range data.rows[RetainDisjoint] {
		disjoint[row.FileName] = true
	}
	var fragile []string
	for _, name := range slices.Sorted(maps.Keys(data.side.Fragile)) {
		if !disjoint[name] {
			fragile = append(fragile, name)
		}
	}
	r.warnCases(fileIdentities, strangers, "%d people are not in it, such as %q")
	r.warnCases(fileCaptions, fields, "%d sensitive rows are not in it, such as %q")
	r.warnCases(fileGeneric, generic, "%d sensitive rows are not in it, such as %q")
	r.warnCases(fileFragile, fragile, "%d of its files are not among the rows of retain_disjoint, such as %q")
}

// warnCases adds a warning with the number of cases and one example, except if the file itself could not be read.
func (r *Report) warnCases(where string, cases []string, format string) {
	unread := slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Where == where && f.Severity == "error" })
	if len(cases) > 0 && !unread {
		r.Findings = append(r.Findings, datafolder.WarningAt(where, format, len(cases), cases[0]))
	}
}
