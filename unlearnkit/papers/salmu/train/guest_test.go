package train

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/guesttest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// hosted is a small study of one method. It also holds paths of the method's model in several file formats.
type hosted struct {
	lab   *Lab
	store *store.Store
	plan  *salmu.Plan
	// whole and openCLIP are folders in the formats of transformers and OpenCLIP. changed is a file with the tensors
	// that the method has changed, and differences is a file with the changes of these tensors.
	whole, openCLIP, changed, differences string
}

const hostedRow = "Generic Captions/1x"

func newHosted(t *testing.T) *hosted {
	t.Helper()
	if testing.Short() {
		t.Skip("trains the models of a world")
	}
	d := devicetest.Open(t)
	s, err := salmu.Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	smoke := salmu.Smoke()
	method := smoke.Methods[0]
	method.Budgets = []int{1}
	h := &hosted{store: s, plan: salmu.NewPlan(smoke.Only(method)),
		lab: NewLab(func() (*device.Device, error) { return d, nil })}
	h.lab.Guests = guest.Models{}
	if err := h.plan.Execute(t.Context(), s, h.lab.Makers(), study.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	h.export(t)
	return h
}

// export runs the method again and writes its model in all formats.
func (h *hosted) export(t *testing.T) {
	t.Helper()
	spec, _ := salmu.Unlearned.Spec(h.plan.Worlds[0].Methods[0])
	start, err := h.store.Local(store.Key(spec.Start))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	h.whole, h.openCLIP = filepath.Join(dir, "whole"), filepath.Join(dir, "open_clip")
	h.changed, h.differences = filepath.Join(dir, "changed.safetensors"), filepath.Join(dir, "differences.safetensors")
	_, err = h.store.Do(t.Context(), store.Stage{Name: "test/export", Version: 1}, "", nil,
		func(ctx context.Context, w *store.Work) error {
			c, job, err := h.lab.unlearning(spec, study.NewInputs(start), w)
			if err != nil {
				return err
			}
			defer c.close()
			job.Snapshot = func(context.Context, int) error { return h.write(c, start.Dir) }
			return lab.Run(ctx, job, w)
		})
	if err != nil {
		t.Fatal(err)
	}
}

func (h *hosted) write(c *candidate, start string) error {
	config, names := c.loaded.config, c.loaded.config.Names()
	for folder, layout := range map[string]string{h.whole: "", h.openCLIP: "open_clip"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := hf.Save(c.scope(), folder, names, hf.Format{Layout: layout}); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, lab.ConfigFile), config.JSON(), 0o644); err != nil {
			return err
		}
	}
	after, err := safefile.Open(filepath.Join(h.whole, lab.WeightsFile))
	if err != nil {
		return err
	}
	defer after.Close()
	before, err := safefile.Open(filepath.Join(start, lab.WeightsFile))
	if err != nil {
		return err
	}
	defer before.Close()
	var changed, differences []safefile.TensorData
	for _, name := range after.Names() {
		tensor, _ := after.Tensor(name)
		own, from := make([]float32, tensor.Elements()), make([]float32, tensor.Elements())
		if err := after.Float32(name, own); err != nil {
			return err
		}
		if err := before.Float32(name, from); err != nil {
			return err
		}
		if cmp.Equal(own, from) {
			continue
		}
		changed = append(changed, safefile.TensorOf(name, tensor.Shape, append([]float32(nil), own...)))
		for i := range own {
			own[i] -= from[i]
		}
		differences = append(differences, safefile.TensorOf(name, tensor.Shape, own))
	}
	if err := safefile.WriteTensors(h.changed, changed, nil); err != nil {
		return err
	}
	return safefile.WriteTensors(h.differences, differences, nil)
}

// host returns the study as a host of guests.
func (h *hosted) host() guesttest.Host {
	return guesttest.Host{Paper: "salmu", Store: h.store, Plan: h.plan.PresetPlan(), Makers: h.lab.Makers(),
		Models: h.lab.Guests}
}

// cells returns the cells of a row of Table 5.
func (h *hosted) cells(t *testing.T, row string) []certify.Cell {
	t.Helper()
	_, cells := h.host().Read(t, "5")
	return cells[row]
}

func TestImport_OwnMethod(t *testing.T) {
	h := newHosted(t)
	found, _ := h.host().Read(t, "5")
	before, method := found.Claims(), h.cells(t, hostedRow)
	if len(method) != 10 {
		t.Fatalf("%s has %d cells", hostedRow, len(method))
	}
	for _, test := range []struct {
		name      string
		model     guest.Model
		tolerance float64
	}{
		{"whole", guest.Model{Path: h.whole}, 0},
		{"open_clip", guest.Model{Path: h.openCLIP}, 0},
		{"changed", guest.Model{Path: h.changed}, 0},
		{"differences", guest.Model{Path: h.differences, Differences: true}, 1e-5},
	} {
		if err := h.host().Evaluate(t, test.name, "", test.model); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		guesttest.Equal(t, test.name, method, h.cells(t, test.name+" (guest)"), test.tolerance)
		found, _ := h.host().Read(t, "5")
		guesttest.Shown(t, salmu.Study, found, test.name, before, 3, "budgets")
	}
	if diff := cmp.Diff(method, h.cells(t, hostedRow), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("guests change the row of the method:\n%s", diff)
	}
}

func TestImport_Refused(t *testing.T) {
	h := newHosted(t)
	copied := func(change func(dir string)) string {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(h.whole)); err != nil {
			t.Fatal(err)
		}
		change(dir)
		return dir
	}
	rewrite := func(change func(t safefile.TensorData) (safefile.TensorData, bool)) string {
		return copied(func(dir string) { rewriteTensors(t, filepath.Join(dir, lab.WeightsFile), change) })
	}
	const tensor = "text_projection.weight"
	for _, test := range []struct{ name, path, says string }{
		{"another architecture", copied(func(dir string) {
			config := strings.ReplaceAll(read(t, filepath.Join(dir, lab.ConfigFile)), `"gelu"`, `"quick_gelu"`)
			if err := os.WriteFile(filepath.Join(dir, lab.ConfigFile), []byte(config), 0o644); err != nil {
				t.Fatal(err)
			}
		}), "its configuration describes another model"},
		{"a missing tensor", rewrite(func(d safefile.TensorData) (safefile.TensorData, bool) { return d, d.Name != tensor }),
			"1 tensor(s) missing: " + tensor},
		{"another shape", rewrite(func(d safefile.TensorData) (safefile.TensorData, bool) {
			if d.Name == tensor {
				return safefile.TensorOf(tensor, []int{2, 2}, []float32{1, 2, 3, 4}), true
			}
			return d, true
		}), tensor + " is [2 2] and should be"},
		{"an unknown tensor", rewrite(func(d safefile.TensorData) (safefile.TensorData, bool) {
			if d.Name == tensor {
				d.Name = "head.weight"
			}
			return d, true
		}), "not known to the model: head.weight"},
	} {
		err := h.host().Evaluate(t, test.name, "", guest.Model{Path: test.path})
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), test.path) {
			t.Errorf("%s: %v, want %q", test.name, err, test.says)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// rewriteTensors rewrites the tensors of a file. The callback changes or drops each of them.
func rewriteTensors(t *testing.T, path string, change func(safefile.TensorData) (safefile.TensorData, bool)) {
	t.Helper()
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
		if data, kept := change(safefile.TensorOf(name, tensor.Shape, values)); kept {
			all = append(all, data)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := safefile.WriteTensors(path, all, nil); err != nil {
		t.Fatal(err)
	}
}

// An adapter in PEFT's format adds the product of its matrices, scaled by alpha/rank, to the original's weights.
func TestImport_Adapter(t *testing.T) {
	h := newHosted(t)
	spec, _ := salmu.Unlearned.Spec(h.plan.Worlds[0].Methods[0])
	start, err := h.store.Local(store.Key(spec.Start))
	if err != nil {
		t.Fatal(err)
	}
	const layer = "text_model.encoder.layers.0.self_attn.q_proj"
	before := tensorOf(t, start.Path(lab.WeightsFile), layer+".weight")
	width := 16
	down, up := make([]float32, width), make([]float32, width)
	for i := range width {
		down[i], up[i] = float32(i)/64, float32(width-i)/32
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "adapter_config.json"), []byte(
		`{"peft_type": "LORA", "r": 1, "lora_alpha": 2, "target_modules": ["q_proj"], "bias": "none"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := safefile.WriteTensors(filepath.Join(dir, "adapter_model.safetensors"), []safefile.TensorData{
		safefile.TensorOf("base_model.model."+layer+".lora_A.weight", []int{1, width}, down),
		safefile.TensorOf("base_model.model."+layer+".lora_B.weight", []int{width, 1}, up)}, nil); err != nil {
		t.Fatal(err)
	}
	if err := h.host().Evaluate(t, "adapted", "", guest.Model{Path: dir}); err != nil {
		t.Fatal(err)
	}
	g, _, err := guest.Named(h.store, "salmu", "adapted")
	if err != nil {
		t.Fatal(err)
	}
	runs, err := h.plan.PresetPlan().Host.Guest(g)
	if err != nil {
		t.Fatal(err)
	}
	imported, err := h.store.Local(runs.Parts[0].Import.Key())
	if err != nil {
		t.Fatal(err)
	}
	after := tensorOf(t, imported.Path(lab.WeightsFile), layer+".weight")
	for row := range width {
		for column := range width {
			want := before[row*width+column] + 2*up[row]*down[column]
			if got := after[row*width+column]; got-want > 1e-6 || want-got > 1e-6 {
				t.Fatalf("the weight in row %d, column %d is %g, want %g", row, column, got, want)
			}
		}
	}
}

// tensorOf reads one tensor of a file.
func tensorOf(t *testing.T, path, name string) []float32 {
	t.Helper()
	file, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	tensor, _ := file.Tensor(name)
	values := make([]float32, tensor.Elements())
	if err := file.Float32(name, values); err != nil {
		t.Fatal(err)
	}
	return values
}
