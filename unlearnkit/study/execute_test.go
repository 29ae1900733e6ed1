package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func openStore(t *testing.T) *store.Store {
	t.Helper()
	return openAt(t, t.TempDir())
}

func openAt(t *testing.T, folder string) *store.Store {
	t.Helper()
	s, err := store.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// log records which runs are made, in order.
type log struct {
	mu    sync.Mutex
	lines []string
}

func (l *log) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// all returns the recorded lines and clears the log.
func (l *log) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

// run returns a run whose artifact is a text: its title and the texts of its inputs.
func run(l *log, title string, needs ...*Run) testRun {
	return testRun{Title: title, Needs: needs, Cost: 1,
		Make: func(_ context.Context, w *store.Work, inputs []*store.Artifact, progress Progress) error {
			l.add(title)
			text := title
			for _, input := range inputs {
				content, err := input.ReadFile("made.txt")
				if err != nil {
					return err
				}
				text += "(" + string(content) + ")"
			}
			progress(1, 1)
			return os.WriteFile(w.Path("made.txt"), []byte(text), 0o644)
		}}
}

func TestPlan_Order(t *testing.T) {
	var l log
	var plan testPlan
	a := plan.Add(run(&l, "a"))
	b := plan.Add(run(&l, "b", a))
	if plan.Add(run(&l, "a")) != a || len(plan.Runs()) != 2 || a.Key() == b.Key() {
		t.Errorf(`got %v, want plan.Add(run(&l, "a")) %v, length 2, a.Key() other than %v`,
			plan.Runs(), a, b.Key())
	}
	if key, err := store.KeyOf(a.Stage, named{Name: "a"}); err != nil || key != a.Key() {
		t.Errorf("%v %v, want %v", a.Key(), err, key)
	}
	var elsewhere testPlan
	stranger := elsewhere.Add(run(&l, "stranger"))
	for name, mistake := range map[string]func(){
		"a need outside the plan": func() { plan.Add(run(&l, "c", stranger)) },
		"no key":                  func() { Stage[func()]{"study/test", 1}.Add(&plan.Plan, "d", 1, func() {}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			mistake()
		}()
	}
}

func TestExecute_Workers(t *testing.T) {
	for _, workers := range []int{0, 1, 4} {
		s := openStore(t)
		var l log
		var plan testPlan
		var last *Run
		for i := range 3 {
			a := plan.Add(run(&l, fmt.Sprintf("a%d", i)))
			b := plan.Add(run(&l, fmt.Sprintf("b%d", i), a))
			last = plan.Add(run(&l, fmt.Sprintf("c%d", i), a, b))
		}
		missing, err := plan.Missing(s)
		if err != nil || len(missing) != 9 {
			t.Fatalf("%d missing, %v", len(missing), err)
		}
		if err := plan.Execute(t.Context(), s, Options{Workers: workers}); err != nil {
			t.Fatal(err)
		}
		order := l.all()
		for i := range 3 {
			at := func(letter string) int { return slices.Index(order, fmt.Sprintf("%s%d", letter, i)) }
			if !(0 <= at("a") && at("a") < at("b") && at("b") < at("c")) || len(order) != 9 {
				t.Errorf("%d workers: %v", workers, order)
			}
		}
		artifact, err := s.Get(last.Key())
		if err != nil {
			t.Fatal(err)
		}
		if content, err := artifact.ReadFile("made.txt"); string(content) != "c2(a2)(b2(a2))" {
			t.Errorf(`got %s %v, want string(content) "c2(a2)(b2(a2))"`, content, err)
		}
		if missing, err := plan.Missing(s); err != nil || missing != nil {
			t.Errorf("got %v %v, want missing nil", missing, err)
		}
		if err := plan.Execute(t.Context(), s, Options{Workers: workers}); err != nil || l.all() != nil {
			t.Errorf("made again, %v", err)
		}
	}
}

// A failure stops only the runs that need the failed run.
func TestExecute_Failure(t *testing.T) {
	for _, workers := range []int{1, 3} {
		s := openStore(t)
		var l log
		var plan testPlan
		broken := run(&l, "broken")
		broken.Make = func(context.Context, *store.Work, []*store.Artifact, Progress) error {
			return errors.New("no disk")
		}
		b := plan.Add(broken)
		next := plan.Add(run(&l, "next", b))
		plan.Add(run(&l, "after next", next))
		plan.Add(run(&l, "child", plan.Add(run(&l, "free"))))
		var last progress.Status
		err := plan.Execute(t.Context(), s,
			Options{Workers: workers, Report: func(status progress.Status) { last = status }})
		if err == nil || !strings.HasPrefix(err.Error(), "broken: ") || !strings.HasSuffix(err.Error(), "no disk") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf(`got the error %v, want an error that begins with "broken: ", an error that ends with "no disk"`,
				err)
		}
		if made := l.all(); !slices.Equal(made, []string{"free", "child"}) {
			t.Errorf("made %v", made)
		}
		slices.Sort(last.Failed)
		if !slices.Equal(last.Failed, []string{"after next", "broken", "next"}) || last.Made != 2 ||
			len(last.Running) != 0 {
			t.Errorf("got %+v, want Failed %v, Made 2, 0 Running", last, []string{"after next", "broken", "next"})
		}
		if missing, err := plan.Missing(s); err != nil || len(missing) != 3 {
			t.Errorf("%d missing, %v", len(missing), err)
		}
	}
}

func TestExecute_FailureProgress(t *testing.T) {
	var l log
	var plan testPlan
	broken := run(&l, "broken")
	broken.Make = func(context.Context, *store.Work, []*store.Artifact, Progress) error { return errors.New("no disk") }
	plan.Add(run(&l, "next", plan.Add(broken)))
	var last progress.Status
	if err := plan.Execute(t.Context(), openStore(t), Options{Report: func(status progress.Status) {
		last = status
	}}); err == nil || !slices.Equal(last.Failed, []string{"broken", "next"}) {
		t.Errorf("got %v %+v, want an error, Failed %v", err, last, []string{"broken", "next"})
	}
}

func TestExecute_Parallel(t *testing.T) {
	var plan testPlan
	var waiting atomic.Int32
	together := make(chan struct{})
	for i := range 3 {
		plan.Add(testRun{Title: "x", Name: fmt.Sprint(i),
			Make: func(ctx context.Context, w *store.Work, _ []*store.Artifact, _ Progress) error {
				if waiting.Add(1) == 3 {
					close(together)
				}
				select {
				case <-together:
					return os.WriteFile(w.Path("x"), nil, 0o644)
				case <-time.After(20 * time.Second):
					return errors.New("alone")
				}
			}})
	}
	if err := plan.Execute(t.Context(), openStore(t), Options{Workers: 3}); err != nil {
		t.Error(err)
	}
}

// cancelled returns a plan whose second run saves its progress and then waits for cancellation.
func cancelled(l *log, begun chan<- struct{}) *testPlan {
	plan := &testPlan{}
	a := plan.Add(run(l, "a"))
	long := run(l, "long", a)
	long.Make = func(ctx context.Context, w *store.Work, _ []*store.Artifact, _ Progress) error {
		mark := filepath.Join(w.Resume(), "mark")
		if _, err := os.Stat(mark); err == nil {
			l.add("resumed")
			return os.WriteFile(w.Path("made.txt"), []byte("long"), 0o644)
		}
		if err := os.WriteFile(mark, nil, 0o644); err != nil {
			return err
		}
		close(begun)
		<-ctx.Done()
		return ctx.Err()
	}
	plan.Add(run(l, "last", plan.Add(long)))
	return plan
}

func TestExecute_CancelAndContinue(t *testing.T) {
	before := runtime.NumGoroutine()
	s := openStore(t)
	var l log
	begun := make(chan struct{})
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	go func() { <-begun; cancel(why) }()
	if err := cancelled(&l, begun).Execute(ctx, s, Options{Workers: 2}); !errors.Is(err, why) {
		t.Errorf("got the error %v, want the error %v", err, why)
	}
	if made := l.all(); !slices.Equal(made, []string{"a"}) {
		t.Errorf("made %v", made)
	}
	if err := cancelled(&l, nil).Execute(t.Context(), s, Options{}); err != nil {
		t.Error(err)
	}
	if made := l.all(); !slices.Equal(made, []string{"resumed", "last"}) {
		t.Errorf("made %v", made)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left of %d", runtime.NumGoroutine(), before)
}

func TestExecute_CancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var l log
	var plan testPlan
	plan.Add(run(&l, "a"))
	if err := plan.Execute(ctx, openStore(t), Options{}); !errors.Is(err, context.Canceled) || l.all() != nil {
		t.Errorf("got the error %v, want the error %v, l.all() nil", err, context.Canceled)
	}
}

// A second handle of the store represents another process. The plan waits for the run that this process makes, and
// makes all others.
func TestExecute_OtherProcess(t *testing.T) {
	folder := t.TempDir()
	var l log
	var plan testPlan
	first := plan.Add(run(&l, "first"))
	child := plan.Add(run(&l, "child", first))
	plan.Add(run(&l, "free"))
	holds, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		_, err := openAt(t, folder).Do(t.Context(), first.Stage, named{Name: "first"}, nil,
			func(_ context.Context, w *store.Work) error {
				close(holds)
				<-release
				return os.WriteFile(w.Path("made.txt"), []byte("elsewhere"), 0o644)
			})
		ended <- err
	}()
	<-holds
	s := openAt(t, folder)
	var once sync.Once
	err := plan.Execute(t.Context(), s, Options{Workers: 2, Report: func(status progress.Status) {
		if status.Made == 1 { // the run that is not busy
			once.Do(func() { close(release) })
		}
	}})
	if err := errors.Join(err, <-ended); err != nil {
		t.Fatal(err)
	}
	if made := l.all(); !slices.Equal(made, []string{"free", "child"}) {
		t.Errorf("made %v", made)
	}
	artifact, err := s.Get(child.Key())
	if err != nil {
		t.Fatal(err)
	}
	if content, _ := artifact.ReadFile("made.txt"); string(content) != "child(elsewhere)" {
		t.Errorf(`got %s, want "child(elsewhere)"`, content)
	}
}

func TestStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t)
		var l log
		var plan testPlan
		found := plan.Add(run(&l, "found"))
		if err := plan.Execute(t.Context(), s, Options{}); err != nil {
			t.Fatal(err)
		}
		half := run(&l, "half", found)
		half.Cost = 4
		half.Make = func(_ context.Context, w *store.Work, _ []*store.Artifact, progress Progress) error {
			time.Sleep(20 * time.Millisecond)
			progress(1, 2)
			progress(2, 2)
			return os.WriteFile(w.Path("made.txt"), nil, 0o644)
		}
		plan.Add(half)
		plan.Add(run(&l, "rest"))
		var seen []progress.Status
		if err := plan.Execute(t.Context(), s, Options{Report: func(status progress.Status) {
			seen = append(seen, status)
		}}); err != nil {
			t.Fatal(err)
		}
		begin, middle, end := seen[0], seen[1], seen[len(seen)-1]
		if begin.Runs != 3 || begin.Found != 1 || begin.Made != 0 || begin.Left >= 0 ||
			begin.Running[0] != (progress.Running{Title: "half"}) {
			t.Errorf("at the beginning: %+v", begin)
		}
		// The run of cost 4 is half done, so cost 2 remains of it, and cost 1 of the other run.
		if middle.Running[0] != (progress.Running{Title: "half", Done: 1, Of: 2}) ||
			middle.Left != time.Duration(float64(middle.Elapsed)*3/2) {
			t.Errorf("in the middle: %+v", middle)
		}
		if end.Made != 2 || end.Found != 1 || end.Left != 0 || end.Running != nil || end.Failed != nil ||
			end.Elapsed < 20*time.Millisecond {
			t.Errorf("at the end: %+v", end)
		}
	})
}

func TestRead_DamagedArtifact(t *testing.T) {
	folder := t.TempDir()
	var l log
	var plan testPlan
	a := plan.Add(run(&l, "world 1: a"))
	if err := plan.Execute(t.Context(), openAt(t, folder), Options{}); err != nil {
		t.Fatal(err)
	}
	artifact, err := openAt(t, folder).Get(a.Key())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(artifact.Path("made.txt"), 0o644),
		os.WriteFile(artifact.Path("made.txt"), []byte("worl"), 0o644)); err != nil {
		t.Fatal(err)
	}
	_, missing := plan.Missing(openAt(t, folder))
	for what, err := range map[string]error{"missing": missing,
		"execute": plan.Execute(t.Context(), openAt(t, folder), Options{})} {
		if err == nil || !strings.HasPrefix(err.Error(), "world 1: a: ") {
			t.Errorf(`%s: got the error %v, want an error that begins with "world 1: a: "`, what, err)
		}
	}
}

// A removed artifact is made again only if a missing run needs it.
func TestExecute_MissingInputs(t *testing.T) {
	l, s := &log{}, openStore(t)
	p := &testPlan{}
	model := p.Add(run(l, "model", p.Add(run(l, "data"))))
	first := p.Add(run(l, "first scores", model))
	if err := p.Execute(t.Context(), s, Options{}); err != nil {
		t.Fatal(err)
	}
	l.all()
	if err := s.Remove(model.Key()); err != nil {
		t.Fatal(err)
	}
	if missing, err := p.Missing(s); err != nil || len(missing) != 0 {
		t.Errorf("with the scores there %v is missing (%v)", missing, err)
	}
	p.Add(run(l, "second scores", model))
	if err := p.Execute(t.Context(), s, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := l.all(); !slices.Equal(got, []string{"model", "second scores"}) {
		t.Errorf("made again: %v", got)
	}
	if err := s.Remove(model.Key()); err != nil {
		t.Fatal(err)
	}
	if err := p.Make(t.Context(), s, p.makers(), Options{}, first.Needs...); err != nil ||
		!slices.Equal(l.all(), []string{"model"}) {
		t.Errorf("the model alone is not made: %v", err)
	}
}
