package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// objectsInMemory keeps objects in memory.
type objectsInMemory struct {
	mu       sync.Mutex
	objects  map[string][]byte
	modified map[string]time.Time
	requests map[string]int
	replaces bool  // WriteNew replaces objects, as on a server without conditional writes
	away     error // error of every request; nil if the server answers
}

func newMemory() *objectsInMemory {
	return &objectsInMemory{objects: map[string][]byte{}, modified: map[string]time.Time{}, requests: map[string]int{}}
}

// begin counts a request and locks the objects.
func (m *objectsInMemory) begin(what string) error {
	m.mu.Lock()
	m.requests[what]++
	return m.away
}

func (m *objectsInMemory) Name() string { return "mem://lab" }

func (m *objectsInMemory) Read(_ context.Context, name string) (io.ReadCloser, error) {
	defer m.mu.Unlock()
	if err := m.begin("read"); err != nil {
		return nil, err
	}
	content, there := m.objects[name]
	if !there {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(content)), nil
}

func (m *objectsInMemory) Write(_ context.Context, name string, content io.ReadSeeker) error {
	defer m.mu.Unlock()
	if err := m.begin("write"); err != nil {
		return err
	}
	return m.put(name, content)
}

func (m *objectsInMemory) put(name string, content io.Reader) (err error) {
	m.objects[name], err = io.ReadAll(content)
	m.modified[name] = time.Now()
	return err
}

func (m *objectsInMemory) WriteNew(_ context.Context, name string, content []byte) error {
	defer m.mu.Unlock()
	if err := m.begin("write"); err != nil {
		return err
	}
	if _, there := m.objects[name]; there && !m.replaces {
		return fs.ErrExist
	}
	return m.put(name, bytes.NewReader(content))
}

func (m *objectsInMemory) Delete(_ context.Context, name string) error {
	defer m.mu.Unlock()
	err := m.begin("delete")
	delete(m.objects, name)
	return err
}

func (m *objectsInMemory) List(_ context.Context, prefix string) (all []Object, err error) {
	defer m.mu.Unlock()
	err = m.begin("list")
	for name := range m.objects {
		if strings.HasPrefix(name, prefix) {
			all = append(all, Object{name, m.modified[name]})
		}
	}
	slices.SortFunc(all, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

// names lists the objects whose names begin with a prefix.
func (m *objectsInMemory) names(prefix string) (all []string) {
	objects, _ := m.List(context.Background(), prefix)
	for _, o := range objects {
		all = append(all, o.Name)
	}
	return all
}

// counting returns a maker of sp that counts its calls.
func counting(sp spec, calls *int) func(context.Context, *Work) error {
	return func(ctx context.Context, w *Work) error { *calls++; return sp.write(ctx, w) }
}

func TestShared_OneMachineMakes(t *testing.T) {
	m, sp, calls := newMemory(), spec{1, 100}, 0
	first := open(t, t.TempDir(), Shared(m))
	if _, err := first.Do(t.Context(), stage, sp, nil, counting(sp, &calls)); err != nil {
		t.Fatal(err)
	}
	if got := len(m.names("claims/")); got != 0 {
		t.Errorf("%d claims are left", got)
	}
	for name, get := range map[string]func(*Store) (*Artifact, error){
		"Get": func(s *Store) (*Artifact, error) { return s.Get(sp.key()) },
		"Do":  func(s *Store) (*Artifact, error) { return s.Do(t.Context(), stage, sp, nil, counting(sp, &calls)) },
	} {
		second := open(t, t.TempDir(), Shared(m))
		if there, err := second.Has(sp.key()); !there || err != nil {
			t.Errorf("Has: %v, %v", there, err)
		}
		if _, err := second.Kept(sp.key()); !errors.Is(err, ErrAbsent) {
			t.Errorf("Kept before it was fetched: %v", err)
		}
		a, err := get(second)
		if err == nil {
			err = errors.Join(sp.check(a), Same(a, do(t, first, sp)))
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if left := filesBelow(t, second.Folder()); len(left) != 3 {
			t.Errorf("%s: files %q, want the artifact's three", name, left)
		}
	}
	if calls != 1 {
		t.Errorf("made %d times", calls)
	}
}

// The second machine has begun before the first one published its other result. The first manifest counts.
func TestShared_FirstManifestCounts(t *testing.T) {
	m, sp := newMemory(), spec{1, 100}
	first, second := open(t, t.TempDir(), Shared(m)), open(t, t.TempDir(), Shared(m))
	a, err := second.Do(t.Context(), stage, sp, nil, func(ctx context.Context, w *Work) error {
		for _, name := range m.names("claims/") { // as if the first machine thought that this one is dead
			m.Delete(ctx, name) //nolint:errcheck // cannot fail
		}
		do(t, first, sp)
		w.Note("seed", "other")
		return os.WriteFile(w.Path("a.txt"), []byte("other"), 0o644)
	})
	if err == nil {
		err = sp.check(a)
	}
	if err != nil {
		t.Error(err)
	}
}

func TestShared_BusyUntilTheClaimIsOld(t *testing.T) {
	defer func(beat, life time.Duration) { claimBeat, claimLife = beat, life }(claimBeat, claimLife)
	claimBeat, claimLife = 5*time.Millisecond, 50*time.Millisecond
	m, sp, calls := newMemory(), spec{1, 100}, 0
	other := open(t, t.TempDir(), Shared(m))
	held, err := other.shared.claim(t.Context(), sp.key())
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, t.TempDir(), Shared(m))
	try := func() error {
		_, err := s.TryDo(t.Context(), stage, sp, nil, counting(sp, &calls))
		return err
	}
	for range 4 { // longer than a claim lives, but it is renewed
		if err := try(); !errors.Is(err, ErrBusy) {
			t.Errorf("while the other machine lives: %v", err)
		}
		time.Sleep(claimLife / 2)
	}
	held.stop() // the other machine dies
	<-held.ended
	try() //nolint:errcheck // sees the claim
	for end := time.Now().Add(10 * time.Second); calls == 0 && time.Now().Before(end); {
		if err = try(); err != nil && !errors.Is(err, ErrBusy) {
			t.Fatal(err)
		}
		time.Sleep(claimBeat)
	}
	if calls != 1 || err != nil || len(m.names("claims/")) != 0 {
		t.Errorf("made %d times, %v, claims %q", calls, err, m.names("claims/"))
	}
}

func TestShared_Away(t *testing.T) {
	m, sp, calls := newMemory(), spec{1, 100}, 0
	s := open(t, t.TempDir(), Shared(m))
	_, err := s.Do(t.Context(), stage, sp, nil, func(ctx context.Context, w *Work) error {
		m.mu.Lock()
		m.away = ErrUnreachable
		m.mu.Unlock()
		return counting(sp, &calls)(ctx, w)
	})
	if !errors.Is(err, ErrUnreachable) {
		t.Errorf("got %v", err)
	}
	oneLine(t, err, "mem://lab")
	m.away = nil
	if err := s.Share(t.Context(), sp.key(), spec{2, 1}.key()); err != nil {
		t.Error(err)
	}
	other := open(t, t.TempDir(), Shared(m))
	if _, err := other.Do(t.Context(), stage, sp, nil, counting(sp, &calls)); err != nil || calls != 1 {
		t.Errorf("made %d times, %v", calls, err)
	}
	before := m.requests["write"]
	if err := s.Share(t.Context(), sp.key()); err != nil || m.requests["write"] != before {
		t.Errorf("sent again, %v", err)
	}
}

func TestShared_ServerThatReplaces(t *testing.T) {
	m, sp, calls := newMemory(), spec{1, 100}, 0
	m.replaces = true
	_, err := open(t, t.TempDir(), Shared(m)).Do(t.Context(), stage, sp, nil, counting(sp, &calls))
	oneLine(t, err, "mem://lab", "If-None-Match")
	if calls != 0 {
		t.Error("the artifact was made first")
	}
}

func TestShared_OtherFormat(t *testing.T) {
	for content, want := range map[string]string{`{"format":"unlearnlab store","version":9}`: "format 9",
		`{"name":"mine"}`: "does not belong to a store"} {
		m := newMemory()
		m.objects[markerName] = []byte(content)
		s := open(t, t.TempDir(), Shared(m))
		_, err := s.Has(spec{1, 1}.key())
		oneLine(t, err, want)
		_, err = s.Do(t.Context(), stage, spec{1, 1}, nil, spec{1, 1}.write)
		oneLine(t, err, want)
	}
}

func TestShared_Damage(t *testing.T) {
	sp := spec{1, 100}
	file := fileObject(mustDigest(sp.content()))
	for name, test := range map[string]struct {
		object string
		edit   func([]byte) []byte
		says   string
	}{
		"a flipped bit":      {file, flip(7), "a.txt: its SHA-256 is"},
		"a shorter file":     {file, func(c []byte) []byte { return c[1:] }, "a.txt: it has"},
		"a missing file":     {file, nil, "a.txt: it is missing"},
		"a damaged manifest": {manifestObject(sp.key()), flip(300), "manifest.json: its content has changed"},
	} {
		m := newMemory()
		maker := open(t, t.TempDir(), Shared(m))
		do(t, maker, sp)
		if test.edit == nil {
			delete(m.objects, test.object)
		} else {
			m.objects[test.object] = test.edit(m.objects[test.object])
		}
		s := open(t, t.TempDir(), Shared(m))
		_, err := s.Get(sp.key())
		oneLine(t, err, test.says, "mem://lab/runs/", "--repair")
		if left := filesBelow(t, s.Folder()); len(left) != 0 {
			t.Errorf("%s: left %q", name, left)
		}
		runs, damaged, err := s.VerifyShared(t.Context())
		if runs != 1 || len(damaged) != 1 || err != nil {
			t.Fatalf("%s: %d runs, damaged %v, %v", name, runs, damaged, err)
		}
		if aside, err := s.RepairShared(t.Context(), sp.key()); err != nil || m.names("damaged/") == nil {
			t.Errorf("%s: moved to %q, %v", name, aside, err)
		}
		if err := open(t, maker.Folder(), Shared(m)).Share(t.Context(), sp.key()); err != nil {
			t.Errorf("%s: send it again: %v", name, err)
		}
		if runs, damaged, err := s.VerifyShared(t.Context()); runs != 1 || damaged != nil || err != nil {
			t.Errorf("%s: after the repair %d runs, damaged %v, %v", name, runs, damaged, err)
		}
	}
}

func mustDigest(content []byte) File {
	f, err := digestOf(bytes.NewReader(content))
	if err != nil {
		panic(err)
	}
	return f
}
