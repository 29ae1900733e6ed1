package safefile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func ExampleOpenFolder() {
	tensors, err := OpenFolder("testdata/sharded", "model")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tensors.Close()
	tensor, _ := tensors.Tensor("layer.4.weight")
	fmt.Println(len(tensors.Names()), tensor.Shape, tensors.Metadata())
	// Output:
	// 5 [7 3] map[format:pt]
}

// folderOf writes files into a new folder.
func folderOf(t *testing.T, files map[string]string) string {
	folder := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// oneTensor returns a safetensors file with a tensor of one byte.
func oneTensor(name string) string {
	return safetensorsFile(fmt.Sprintf(`{%q:{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, name), 1)
}

func TestOpen_Folder(t *testing.T) {
	index := `{"metadata":{"total_size":{"deep":[1,2]}},"weight_map":{"a":"1.safetensors","b":"2.safetensors"}}`
	shards := map[string]string{"m.safetensors.index.json": index, "1.safetensors": oneTensor("a"),
		"2.safetensors": oneTensor("b")}
	tests := map[string][]string{"": {"a", "b"}, "m.safetensors": {"whole"}}
	for single, want := range tests {
		files := maps.Clone(shards)
		if single != "" {
			files[single] = oneTensor("whole")
		}
		tensors, err := OpenFolder(folderOf(t, files), "m")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(tensors.Names(), want) {
			t.Errorf("%q, want %q", tensors.Names(), want)
		}
		if err := tensors.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOpen_Misfit(t *testing.T) {
	const index = "m.safetensors.index.json"
	mapped := func(pairs string) string { return `{"weight_map":{` + pairs + `}}` }
	tests := []struct {
		files        map[string]string
		begins, says string
	}{
		{map[string]string{index: mapped(`"a":"1.safetensors"`)}, index, `the shard "1.safetensors" is missing`},
		{map[string]string{index: mapped(`"a":"1","b":"1"`), "1": oneTensor("a")}, index,
			`tensor "b" is not in the shard "1"`},
		{map[string]string{index: mapped(`"a":"1","b":"2"`), "1": oneTensor("b"), "2": oneTensor("a")}, index,
			`tensor "a" is not in the shard "1"`},
		{map[string]string{index: mapped(`"a":"1"`), "1": oneTensor("b")}, index,
			`tensor "b" of the shard "1" is not in its weight_map`},
		{map[string]string{index: mapped(`"a":"1","b":"2"`), "1": oneTensor("a"), "2": oneTensor("a")}, "2",
			`tensor "a" is also in 1`},
		{map[string]string{index: mapped(`"a":"../x"`)}, index,
			`tensor "a": the shard "../x" is not a file's name in the same folder`},
		{map[string]string{index: mapped(`"a":"/etc/passwd"`)}, index, `the shard "/etc/passwd" is not a file's name`},
		{map[string]string{index: mapped(`"a":"..\\x"`)}, index, `the shard "..\\x" is not a file's name`},
		{map[string]string{index: mapped(`"a":".."`)}, index, `the shard ".." is not a file's name`},
		{map[string]string{index: mapped(`"a":"."`)}, index, `the shard "." is not a file's name`},
		{map[string]string{index: mapped(`"a":""`)}, index, `the shard "" is not a file's name`},
		{map[string]string{index: mapped(`"a":"C:x"`)}, index, `the shard "C:x" is not a file's name`},
		{map[string]string{index: mapped(`"a":3`)}, index, `tensor "a": a string was expected, not "3"`},
		{map[string]string{index: mapped(`"a":"1","a":"2"`)}, index, `the key "a" occurs twice`},
		{map[string]string{index: mapped(``)}, index, `its weight_map names no tensor`},
		{map[string]string{index: `{"weight_map":{"a":"1"}} more`}, index, `not one whole JSON value`},
		{map[string]string{index: mapped(`"a":"1"`), "1": "abc"}, "1", `the file has 3 bytes`},
		{map[string]string{"other.safetensors": oneTensor("a")}, "",
			`no m.safetensors or m.safetensors.index.json; it has "other.safetensors"`},
		{map[string]string{"config.json": "{}"}, "", `no m.safetensors or m.safetensors.index.json`},
		{map[string]string{"pytorch_model.bin": "x"}, "", `only pickles, which can run any program`},
	}
	for _, test := range tests {
		folder := folderOf(t, test.files)
		_, err := OpenFolder(folder, "m")
		checkRefusal(t, fmt.Sprint(test.files), err, "read "+filepath.Join(folder, test.begins)+": ", test.says)
	}
	_, err := OpenFolder(filepath.Join(t.TempDir(), "none"), "m")
	checkRefusal(t, "no folder", err, "read ", "no such file")
}

// A pickle is refused with the command that converts it.
func TestOpen_Pickle(t *testing.T) {
	for from, to := range map[string]string{"testdata/checkpoint.ckpt": "testdata/checkpoint.safetensors",
		"testdata/legacy.bin": "testdata/legacy.safetensors"} {
		_, err := Open(from)
		checkRefusal(t, from, err, "read "+from+": a pickle, which can run any program when it is read, so it is not;",
			fmt.Sprintf("torch.load('%s', map_location='cpu', weights_only=True)", from))
		checkRefusal(t, from, err, "", fmt.Sprintf("'%s')\"", to))
		content, failed := os.ReadFile(from)
		if failed != nil {
			t.Fatal(failed)
		}
		disguised := filepath.Join(folderOf(t, map[string]string{"model.safetensors": string(content)}),
			"model.safetensors")
		_, err = Open(disguised)
		checkRefusal(t, disguised, err, "read "+disguised+": a pickle", disguised+".converted'")
	}
	if command := conversion("a'; rm -r x; '.bin"); strings.Contains(command, "rm") {
		t.Errorf("a file's name reaches the shell: %s", command)
	}
}

func TestOpen_PickleLookalike(t *testing.T) {
	header := `{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`
	header += strings.Repeat(" ", 0x280-len(header))
	content := safetensorsFile(header, 1)
	if !strings.HasPrefix(content, "\x80\x02") {
		t.Fatal("the header does not begin like a pickle")
	}
	if _, _, err := parseTensors([]byte(content)); err != nil {
		t.Error(err)
	}
	if isPickle([]byte(content)) {
		t.Error("taken for a pickle")
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(`{"metadata":{"total_size":1},"weight_map":{"a":"1.safetensors"}}`))
	f.Add([]byte(`{"weight_map":{"a":"../1.safetensors"}}`))
	f.Add([]byte(`{"weight_map":{"a":"1","a":"2"}}`))
	f.Add([]byte(`{"metadata":` + strings.Repeat(`[`, 1<<12) + strings.Repeat(`]`, 1<<12) + `,"weight_map":{"a":"1"}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		places, err := parseIndex(content)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		for _, shard := range places {
			if filepath.Base(shard) != shard || !filepath.IsLocal(shard) {
				t.Errorf("the shard %q leaves the folder", shard)
			}
		}
	})
}
