package launcher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/gopls"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A Config configures a kernel.
type Config struct {
	ConnectionFile string   // path of the file that Jupyter wrote
	Root           string   // folder of this module
	Tools          string   // folder that contains gonb and goimports
	Command        string   // path of the prebuilt unlearnlab, which runs the verbs
	Guard          []string // command line that calls [Guard]; arguments are appended to it
	Offers         Offers   // names that completion offers after a verb
	RawError       bool     // keep gonb's error texts, for continuous integration logs
	Log            io.Writer

	// Warm builds what cells import. If it is not nil, Go cells wait for it.
	Warm func(context.Context) error
}

const (
	startLimit = 2 * time.Minute // long, because the setup cell is slow with a cold build cache
	stopLimit  = 2 * time.Second // how long gonb may take to end by itself
)

// Run serves one kernel until Jupyter requests shutdown, ctx ends, or gonb or the Jupyter server ends.
func Run(ctx context.Context, c Config) error {
	connection, err := wire.ReadConnection(c.ConnectionFile)
	if err != nil {
		return err
	}
	adoptOrphans()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := newProxy(connection.Key, log.New(c.Log, "unlearnlab kernel: ", log.Ltime))
	p.allowed = trustUsers(c.ConnectionFile)
	p.manual.command, p.offers = c.Command, c.Offers
	p.rawError = c.RawError
	if c.Warm != nil {
		p.warming = make(chan struct{})
	}
	if err := p.listen(ctx, connection); err != nil {
		return err
	}
	k := &kernel{Config: c, key: connection.Key, proxy: p, ended: make(chan error, 1)}
	go k.start(ctx)
	defer k.stop()
	select {
	case <-ctx.Done():
		p.drain()
		return nil
	case <-p.quit:
		k.wait(stopLimit) // gonb was told to end, so its exit code does not matter
		p.drain()
		return nil
	case <-parentWatch(ctx):
		return errors.New("the Jupyter server ended")
	case err := <-k.ended:
		p.drain()
		return err
	}
}

// gonbLog is the environment variable that copies gonb's long log to the server's log, to find faults in gonb.
const gonbLog = "UNLEARNLAB_GONB_LOG"

// A kernel is a gonb process with its guard, the process that ends gonb if the launcher is killed.
type kernel struct {
	Config
	key   string
	proxy *proxy
	ended chan error // receives the reason if gonb ends after it was ready

	mu      sync.Mutex
	stopped bool
	folder  string
	lock    *os.File
	guard   *exec.Cmd
	leash   io.Closer     // the guard's stdin; closing it ends the guard
	exited  chan struct{} // closed when the guard has ended
	last    tail          // end of gonb's log

	language *language // nil if there is no language server
}

// start starts gonb. If that fails, it makes the proxy explain why.
func (k *kernel) start(ctx context.Context) {
	tools, problems := Examine(ctx, k.Root, k.Tools)
	k.proxy.setToolchain(tools, k.Command)
	if len(problems) > 0 {
		k.proxy.failCells(explanation(problems))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if err := k.launch(tools); err != nil {
		k.proxy.failCells(explanation([]Problem{{"the kernel cannot start: " + err.Error(),
			"run: unlearnlab kernel doctor"}}))
		return
	}
	gone := make(chan struct{})
	go func() {
		<-k.exited
		cancel() // there is no gonb to connect to
		close(gone)
	}()
	inner := wire.PrivateConnection(k.folder, k.key)
	err := setUp(ctx, inner, k.Root)
	k.startLanguage(tools) // only now, because it keeps the processors busy for some seconds
	var b *backend
	if err == nil {
		b, err = dialBackend(ctx, inner)
	}
	if err == nil {
		err = b.awaitIOPub(ctx)
	}
	if err != nil {
		k.proxy.failCells(k.startFailure(err))
		return
	}
	b.folder = k.folder
	k.proxy.setChecker(newChecker(k.folder, k.environment(tools)))
	k.proxy.attach(b)
	k.warm(gone)
	<-gone
	b.close()
	k.ended <- fmt.Errorf("gonb ended: %s", k.last.line())
}

// warm builds what cells import, and then lets Go cells run. If the build fails, the cells report why.
func (k *kernel) warm(gone <-chan struct{}) {
	if k.Warm == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(k.proxy.warming)
		defer cancel()
		if err := k.Warm(ctx); err != nil {
			k.proxy.log.Print(err)
		}
	}()
	go func() {
		<-gone
		cancel()
	}()
}

// NoCompletion is the environment variable that keeps the language server from being installed and started, for runs
// without a user and for machines with little memory.
const NoCompletion = "UNLEARNLAB_NO_COMPLETION"

// startLanguage starts the language server if it is installed, unless [NoCompletion] or RawError is set.
func (k *kernel) startLanguage(tools Toolchain) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if tools.Gopls == "" || k.stopped || k.RawError || os.Getenv(NoCompletion) != "" {
		return
	}
	k.language = newLanguage(gopls.Server{Program: tools.Gopls, Environment: tools.environment(k.Root)}, k.Root,
		k.folder)
	k.proxy.setLanguage(k.language)
}

func (k *kernel) startFailure(err error) *failure {
	what := err.Error()
	if last := k.last.line(); last != "" && (errors.Is(err, context.Canceled) || errors.Is(err, io.EOF)) {
		what = last
	}
	return explanation([]Problem{{"gonb did not start: " + what, "run: unlearnlab kernel doctor"}})
}

// explanation returns the failure that every cell gets if the kernel cannot work.
func explanation(problems []Problem) *failure {
	f := &failure{Name: "this kernel cannot run cells"}
	for _, p := range problems {
		f.Traceback = append(f.Traceback, red(p.What), "  "+p.Mend)
	}
	f.Value = problems[0].Error()
	f.Traceback = append(f.Traceback, "Then restart the kernel. unlearnlab kernel doctor checks everything.")
	return f
}

// launch starts the guard, which starts gonb.
func (k *kernel) launch(tools Toolchain) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stopped {
		return context.Canceled
	}
	sweep(os.TempDir())
	var err error
	if k.folder, err = os.MkdirTemp("", folderPrefix+"*"); err != nil {
		return err
	}
	if k.lock, err = os.OpenFile(filepath.Join(k.folder, lockName), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return err
	}
	tryLock(k.lock)
	file := filepath.Join(k.folder, filepath.Base(k.ConnectionFile)) // gonb takes the kernel's ID from the file name
	if err := wire.PrivateConnection(k.folder, k.key).Write(file); err != nil {
		return err
	}
	if err := shadowGopls(filepath.Join(k.folder, shadowFolder), tools.Gopls); err != nil {
		return err
	}
	arguments := append(append([]string{}, k.Guard...), k.folder, filepath.Join(k.Tools, "gonb"),
		"--kernel", file, "-logtostderr=true", "-raw_error=true", "-go_work="+k.Root)
	guard := exec.Command(arguments[0], arguments[1:]...)
	guard.Env = k.environment(tools)
	guard.Stderr = &k.last
	if os.Getenv(gonbLog) != "" {
		guard.Stderr = io.MultiWriter(k.Log, &k.last)
	}
	guard.ExtraFiles = []*os.File{k.lock}
	guard.WaitDelay = 100 * time.Millisecond // gonb keeps the guard's stderr open if the guard is killed
	ownGroup(guard)
	leash, err := guard.StdinPipe()
	if err != nil {
		return err
	}
	if err := guard.Start(); err != nil {
		return err
	}
	k.guard, k.leash, k.exited = guard, leash, make(chan struct{})
	go func() {
		guard.Wait()
		close(k.exited)
	}()
	return nil
}

// shadowFolder holds programs that take precedence over others of the same name on PATH.
const shadowFolder = "programs"

// shadowGopls keeps gonb from starting its own language server, which would take a gigabyte for each kernel and block
// cells. A cell that calls gopls still gets the installed one.
func shadowGopls(folder, program string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	otherwise := "echo gopls is not installed, run: unlearnlab kernel install >&2; exit 127"
	if program != "" {
		otherwise = "exec '" + strings.ReplaceAll(program, "'", `'\''`) + `' "$@"`
	}
	script := "#!/bin/sh\ncase \"$1\" in\n-listen) exit 0 ;;\nesac\n" + otherwise + "\n"
	return os.WriteFile(filepath.Join(folder, "gopls"), []byte(script), 0o700)
}

// environment returns the environment for gonb, go build and cells.
func (k *kernel) environment(tools Toolchain) []string {
	set := map[string]string{
		"PATH": strings.Join([]string{filepath.Join(k.folder, shadowFolder), k.Tools, os.Getenv("PATH")},
			string(os.PathListSeparator)),
		"TMPDIR":             k.folder,
		"GOFLAGS":            tools.Flags,
		"UNLEARNLAB_ROOT":    k.Root,
		"UNLEARNLAB_COMMAND": k.Command,
	}
	var environment []string
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); set[name] == "" && name != "GOFLAGS" {
			environment = append(environment, e)
		}
	}
	for name, value := range set {
		environment = append(environment, name+"="+value)
	}
	return PinGo(environment, k.Root)
}

// stop ends all remaining processes and removes the kernel's folder, even if the guard has died.
func (k *kernel) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stopped = true
	if k.folder == "" {
		return
	}
	k.language.close()
	if k.guard != nil {
		k.leash.Close()
		select {
		case <-k.exited:
		case <-time.After(stopLimit):
			k.guard.Process.Kill()
		}
	}
	cleanUp(k.folder, k.language.sharedServers()...)
}

// wait waits for gonb to end, at most limit. It does not wait if gonb was not started.
func (k *kernel) wait(limit time.Duration) {
	k.mu.Lock()
	exited := k.exited
	k.mu.Unlock()
	if exited == nil {
		return
	}
	select {
	case <-exited:
	case <-time.After(limit):
	}
}

// parentWatch returns a channel that is closed when the Jupyter server ends. The environment variable JPY_PARENT_PID
// holds the server's process ID.
func parentWatch(ctx context.Context) <-chan struct{} {
	died := make(chan struct{})
	parent, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || parent <= 1 {
		return died
	}
	gone := processGone(parent)
	go func() {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for !gone() {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
		close(died)
	}()
	return died
}

// A tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - 4096; extra > 0 {
		t.text = t.text[extra:]
	}
	return len(p), nil
}

// line returns the last line of the trimmed text.
func (t *tail) line() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.text)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
