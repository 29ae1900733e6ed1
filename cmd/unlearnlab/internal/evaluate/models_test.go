package evaluate

import (
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// shipped is the folder of a SALMUBench model that was never trained on the forget set, from the first world.
const shipped = "../../../../data/results/salmu/mini/models/world-0-clean"

// copied returns a folder with a copy of the shipped model under each name.
func copied(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(shipped)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// rewritten returns a folder with a copied model whose tensors change has modified or dropped.
func rewritten(t *testing.T, change func(name string, shape []int, values []float32) ([]int, bool)) string {
	t.Helper()
	dir := copied(t, "world-0")
	path := filepath.Join(dir, "world-0", "model.safetensors")
	file, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []safefile.TensorData
	for _, name := range file.Names() {
		tensor, _ := file.Tensor(name)
		values := make([]float32, tensor.Elements())
		if err := file.Float32(name, values); err != nil {
			t.Fatal(err)
		}
		if shape, kept := change(name, tensor.Shape, values); kept {
			all = append(all, safefile.TensorOf(name, shape, values))
		}
	}
	file.Close()
	if err := safefile.WriteTensors(path, all, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestModels_Refused(t *testing.T) {
	const tensor = "text_projection.weight"
	as := func(change func(name string, shape []int, values []float32) ([]int, bool)) string {
		return rewritten(t, change)
	}
	whole := func(name string, shape []int, _ []float32) ([]int, bool) { return shape, true }
	pickle := t.TempDir()
	clitest.Put(t, filepath.Join(pickle, "world-0"), "pytorch_model.bin", "PK")
	bare := clitest.File(t, "model.pt", "\x80\x02}q\x00.")
	quick := copied(t, "world-0")
	config := filepath.Join(quick, "world-0", "config.json")
	clitest.Put(t, filepath.Dir(config), "config.json", strings.ReplaceAll(clitest.Read(t, config), `"gelu"`, `"quick_gelu"`))
	adapter := t.TempDir()
	clitest.Put(t, filepath.Join(adapter, "world-0"), "adapter_config.json", `{"peft_type": "IA3"}`)
	clitest.Put(t, filepath.Join(adapter, "world-0"), "adapter_model.safetensors", "")
	if err := safefile.WriteTensors(filepath.Join(adapter, "world-0", "adapter_model.safetensors"),
		[]safefile.TensorData{safefile.TensorOf("a", []int{1}, []float32{1})}, nil); err != nil {
		t.Fatal(err)
	}
	before := kept(t)
	for _, test := range []struct {
		says string
		args []string
	}{
		{"its configuration describes another model", []string{"--models", quick}},
		{"1 tensor(s) missing: " + tensor, []string{"--models",
			as(func(name string, shape []int, _ []float32) ([]int, bool) { return shape, name != tensor })}},
		{tensor + " is [4096] and should be [64 64]", []string{"--models",
			as(func(name string, shape []int, values []float32) ([]int, bool) {
				if name == tensor {
					shape = []int{len(values)}
				}
				return shape, true
			})}},
		{"the tensor " + tensor + " has 1 values that are NaN or infinite; the training diverged", []string{"--models",
			as(func(name string, shape []int, values []float32) ([]int, bool) {
				if name == tensor {
					values[7] = float32(math.NaN())
				}
				return shape, true
			})}},
		{"peft_type is \"IA3\", only LORA is read", []string{"--models", adapter}},
		{"only pickles", []string{"--models", pickle}},
		{"a pickle, which can run any program", []string{"--models", bare, "--world", "0"}},
		{"the folders world-0 to world-4 are missing", []string{"--models", copied(t, "seed-0")}},
		{"the preset has no world 5, its last is world-4", []string{"--models", copied(t, "world-0", "world-5")}},
		{"--world 5: the preset mini has the numbers 0 to 4", []string{"--models", shipped, "--world", "5"}},
		{"no model.safetensors", []string{"--models", t.TempDir(), "--world", "0"}},
		{"there is no such file or folder", []string{"--models", filepath.Join(pickle, "none"), "--world", "0"}},
		{"give the row a name", []string{"--models", as(whole), "--name", ""}},
		{`the name "a/b"`, []string{"--models", as(whole), "--name", "a/b"}},
		{"the study has a row DELETE of its own", []string{"--models", as(whole), "--name", "delete"}},
		{"--part S: the study has one model in each world; remove the flag", []string{"--models", shipped, "--part", "S"}},
		{"give --models", nil},
		{"give --models or --scores, not both", []string{"--models", shipped, "--scores", "scores.csv"}},
		{"give --models, --list or --schema, not both", []string{"--schema", "--models", shipped, "--list"}},
		{"--original and --differences are for models", []string{"--scores", "scores.csv", "--differences"}},
	} {
		args := append([]string{"evaluate", "salmu", "--preset", "mini", "--name", "mine"}, test.args...)
		code, stdout, stderr := cmd.Run(args...)
		stderr = strings.ReplaceAll(stderr, "computing on go (by $UNLEARNLAB_DEVICE)\n", "")
		if code != cli.ExitUsage || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.says) {
			t.Errorf("%q: exit %d, want one line with %q\n%s%s", test.args, code, test.says, stdout, stderr)
		}
	}
	if after := kept(t); !slices.Equal(before, after) {
		t.Errorf("refused models leave %d files, there were %d", len(after), len(before))
	}
	cmd.Refused(t, cli.ExitUsage, `salmu has no guest "mine"`, "evaluate", "salmu", "--remove", "mine")
}

// Imported as a guest, the model that never saw the sensitive rows matches every target of forgetting.
func TestModels_CleanAsGuest(t *testing.T) {
	if testing.Short() {
		t.Skip("scores models")
	}
	dir := copied(t, "world-0")
	evaluate := func(args ...string) string {
		code, shown, stderr := cmd.Run(append([]string{"evaluate", "salmu", "--preset", "mini", "--name", "Never saw them",
			"--format", "csv"}, args...)...)
		if code != 0 {
			t.Fatalf("exit %d\n%s", code, stderr)
		}
		return shown
	}
	one := evaluate("--models", dir)
	if !strings.Contains(one, `"Never saw them (guest, 1 of 5 worlds)"`) {
		t.Errorf("the row is %s", one)
	}
	found := cmd.Succeed(t, "table", "salmu", "5", "--certified", "--numbers", "--preset", "mini", "--format", "csv",
		"--rows", "never saw them", "--columns", "RetFail,AssocStr,ACS,IdZSC,CoreAssoc")
	if strings.Count(found, "matched") != 5 {
		t.Errorf("a model that never saw the rows is judged %s", found)
	}
	second := strings.Replace(shipped, "world-0", "world-1", 1)
	if two := evaluate("--models", second, "--world", "1"); !strings.Contains(two, "2 of 5 worlds") {
		t.Errorf("with another world the row is %s", two)
	}
	cmd.Succeed(t, "evaluate", "salmu", "--remove", "never saw them")
}

// A model of another world never met the people of this one, so it would be judged as a model that forgot them all.
func TestModels_OtherWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("scores models")
	}
	const results = "../../../../data/results/"
	unsluModel := results + "unslu/mini/models/9b89939e89b8" // the original of world 0, FSC/wav2vec 2.0
	for _, test := range []struct {
		paper string
		args  []string
		says  string
	}{
		{"salmu", []string{"--models", results + "salmu/mini/models/world-0-compromised", "--world", "1"},
			"world-0-compromised, given as world 1: it belongs to world 0 (objects recognised"},
		{"salmu", []string{"--models", results + "salmu/mini/models/world-3-clean", "--world", "2"},
			"world-3-clean, given as world 2: it belongs to world 3 (objects recognised"},
		{"unslu", []string{"--models", unsluModel, "--world", "1", "--part", "FSC/wav2vec 2.0"},
			"given as world 1: it belongs to world 0 (its head began"},
		{"remem", []string{"--models", results + "remem/mini/models/taught-S", "--world", "1", "--part", "S"},
			"taught-S, given as world 1, S: it belongs to world 0, S (questions about other people"},
		{"concealment", []string{"--models", results + "concealment/mini/models/gold-without-van-gogh", "--world", "0",
			"--part", "Killian Eng"}, "given as training seed 0, Killian Eng: it belongs to training seed 0, Van Gogh (pictures of"},
	} {
		t.Run(test.paper+" "+path.Base(test.args[1]), func(t *testing.T) {
			if test.paper != "unslu" { // whose models are compared without judging them
				paritytest.Slow(t, "minutes of judging in the places of other worlds")
			}
			before := kept(t)
			code, stdout, stderr := cmd.Run(append([]string{"evaluate", test.paper, "--preset", "mini", "--name", "mine"},
				test.args...)...)
			last := stderr[strings.LastIndex(strings.TrimSuffix(stderr, "\n"), "\n")+1:]
			if code != cli.ExitUsage || stdout != "" || !strings.Contains(last, test.says) {
				t.Errorf("%v: exit %d, want %q\n%s%s", test.args, code, test.says, stdout, stderr)
			}
			if after := kept(t); !slices.Equal(before, after) {
				t.Errorf("%v: a refused model leaves %d files, there were %d", test.args, len(after), len(before))
			}
		})
	}
}
