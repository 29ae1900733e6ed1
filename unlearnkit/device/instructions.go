package device

import (
	"os"
	"regexp"
	"strings"

	"golang.org/x/sys/cpu"
)

// Instructions names the vector instructions that a device computes with: of pure Go those of [SIMD], of XLA on a
// processor the widest ones of it that XLA_FLAGS allows, whatever this program was built with. An accelerator has
// "none".
func (d *Device) Instructions() string {
	switch d.name {
	case "go":
		return SIMD()
	case "xla:cpu":
		return widest(processors(), os.Getenv("XLA_FLAGS"))
	}
	return "none"
}

// instructions are a set and whether the processor has it.
type instructions struct {
	name string
	has  bool
}

// processors are what a processor may have, the widest first.
func processors() []instructions {
	return []instructions{
		{"avx512", cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL},
		{"avx2", cpu.X86.HasAVX2},
		{"avx", cpu.X86.HasAVX},
		{"sse4_2", cpu.X86.HasSSE42},
		{"neon", cpu.ARM64.HasASIMD},
	}
}

var limited = regexp.MustCompile(`(?:^|\s)--xla_cpu_max_isa=(\w+)`)

// widest are the first that a processor has, not before those that flags limit XLA to: AVX512_VNNI is AVX-512 too.
func widest(all []instructions, flags string) string {
	begun := true
	limit := ""
	if found := limited.FindStringSubmatch(flags); found != nil {
		limit, begun = strings.ToLower(found[1]), false
	}
	for _, one := range all {
		begun = begun || limit == one.name || strings.HasPrefix(limit, one.name+"_")
		if begun && one.has {
			return one.name
		}
	}
	return "none"
}
