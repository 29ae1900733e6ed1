package launcher

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// overflow is the beginning and the end of what an endless recursion prints.
const overflow = `runtime: goroutine stack exceeds 1000000000-byte limit
runtime: sp=0x2cdfb09e0390 stack=[0x2cdfb09e0000, 0x2cdfd09e0000]
fatal error: stack overflow

runtime stack:
runtime.throw({0x4c611c?, 0x2cdf90900780?})
	/usr/local/go/src/runtime/panic.go:1229 +0x48 fp=0x2cdf908cfe98 sp=0x2cdf908cfe68 pc=0x479508

goroutine 1 gp=0x2cdf9087e1e0 m=3 mp=0x2cdf9090a008 [running]:
main.f(0x2aaaa49?)
	[[ Cell [11] Line 1 ]] /tmp/gonb_6410b2f5/main.go:7 +0x2b fp=0x2cdfb09e03a0 sp=0x2cdfb09e0398 pc=0x49e18b
main.f(...)
	[[ Cell [11] Line 1 ]] /tmp/gonb_6410b2f5/main.go:7
main.f(0x0?)
	[[ Cell [11] Line 1 ]] /tmp/gonb_6410b2f5/main.go:7 +0x17 fp=0x2cdfb09e03b8 sp=0x2cdfb09e03a0 pc=0x49e177
...33554386 frames elided...
main.main()
	[[ Cell [11] Line 2 ]] /tmp/gonb_6410b2f5/main.go:10 +0x27 fp=0x2cdfd09dff48 sp=0x2cdfd09dff00 pc=0x49e187
runtime.main()
	/usr/local/go/src/runtime/proc.go:290 +0x2d5 fp=0x2cdfd09dffe0 sp=0x2cdfd09dff48 pc=0x449275

goroutine 2 gp=0x2905eede780 m=nil [force gc (idle)]:
runtime.gopark(0x0?, 0x0?, 0x0?, 0x0?, 0x0?)
	/usr/local/go/src/runtime/proc.go:462 +0xce fp=0x2905ef14fa8 sp=0x2905ef14f88 pc=0x4795ee
created by runtime.init.7 in goroutine 1
	/usr/local/go/src/runtime/proc.go:363 +0x1a
`

func TestError_StackOverflow(t *testing.T) {
	var text errorText
	if shown := text.stream("stderr", overflow); shown != "" {
		t.Errorf("beside the box is %q", shown)
	}
	want := []string{red("fatal error") + ": stack overflow (Cell [11] line 1)", "    main.f(0x2aaaa49?)",
		"      Cell [11] line 1", "    main.main()", "      Cell [11] line 2", "    … the same calls again and again",
		"A function calls itself, directly or through others, and never stops."}
	if diff := cmp.Diff(want, text.failure(gonbError(t, "exit status 2")).Traceback); diff != "" {
		t.Error(diff)
	}
}

// Go's runtime words a lack of memory in two ways.
func TestError_OutOfMemory(t *testing.T) {
	for _, said := range []string{"runtime: out of memory: cannot allocate 35184372088832-byte block (3932160 in use)\n" +
		"fatal error: out of memory\n\ngoroutine 1 gp=0x1 m=0 mp=0x2 [running]:\nmain.main()\n\t" +
		"[[ Cell [3] Line 1 ]] /tmp/main.go:10 +0x27 fp=0x1\n",
		"fatal error: runtime: out of memory\n\nmain.main()\n\t[[ Cell [3] Line 1 ]] /tmp/main.go:10\n"} {
		var text errorText
		shown := text.stream("stderr", said)
		want := []string{red("fatal error") + ": out of memory (Cell [3] line 1)", "    main.main()",
			"      Cell [3] line 1", "The cell asks for more memory than this machine can give."}
		got := text.failure(gonbError(t, "exit status 2")).Traceback
		if diff := cmp.Diff(want, got); shown != "" || diff != "" {
			t.Errorf("beside the box is %q, %s", shown, diff)
		}
	}
}

func TestTraceLines(t *testing.T) {
	for _, test := range []struct {
		name, trace string
		want        []string
	}{
		{"a package between", "panic: no\n\ngoroutine 1 [running]:\nexample.com/a.F(0x1)\n\t/go/a/a.go:3 +0x1f\n" +
			"main.main()\n\t[[ Cell [2] Line 1 ]] /tmp/main.go:9 +0x2\n",
			[]string{"    example.com/a.F(0x1)", "      /go/a/a.go:3", "    main.main()", "      Cell [2] line 1"}},
		{"another goroutine", "panic: no\n\ngoroutine 6 [running]:\nmain.g()\n\t[[ Cell [2] Line 4 ]] /tmp/main.go:9 +0x2\n" +
			"created by main.main in goroutine 1\n\t[[ Cell [2] Line 8 ]] /tmp/main.go:13 +0x2\n",
			[]string{"    goroutine 6 [running]:", "    main.g()", "      Cell [2] line 4",
				"    created by main.main in goroutine 1", "      Cell [2] line 8"}},
		{"a signal", "panic: nil\n[signal SIGSEGV]\n\ngoroutine 1 [running]:\npanic({0x1})\n\t/go/panic.go:1 +0x1\n",
			[]string{"    [signal SIGSEGV]"}},
		{"nothing", "panic: no\n", nil},
	} {
		if diff := cmp.Diff(test.want, traceLines(test.trace)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	if got := traceLines("panic: no\n" + strings.Repeat("line\n", 100)); len(got) != mostFrames+1 {
		t.Errorf("%d lines, want %d", len(got), mostFrames+1)
	}
}
