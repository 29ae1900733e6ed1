package device

import (
	"os"
	"regexp"
	"strings"

	"golang.org/x/sys/cpu"
)

// Instructions returns the vector instructions that the device uses: [SIMD]'s for "go", and for XLA on a CPU the
// processor's widest ones that XLA_FLAGS allows, however this program was built. Other devices have "none".
func (d *Device) Instructions() string {
	switch d.name {
	case "go":
		return SIMD()
	case "xla:cpu":
		return widest(processors(), os.Getenv("XLA_FLAGS"))
	}
	return "none"
}

// instructions is an instruction set and whether the processor has it.
type instructions struct {
	name string
	has  bool
}

// processors lists the instruction sets that a processor may have, the widest first.
func processors() []instructions {
	return []instructions{
		{"avx512", cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL},
		{"avx2", cpu.X86.HasAVX2},
		{"avx", cpu.X86.HasAVX},
		{"sse4_2", cpu.X86.HasSSE42},
		{"neon", cpu.ARM64.HasASIMD},
	}
}

var isaFlag = regexp.MustCompile(`(?:^|\s)--xla_cpu_max_isa=(\w+)`)

// widest returns the first instruction set that the processor has, starting at the limit that flags set for XLA.
// AVX512_VNNI counts as AVX-512.
func widest(all []instructions, flags string) string {
	allowed := true
	limit := ""
	if found := isaFlag.FindStringSubmatch(flags); found != nil {
		limit, allowed = strings.ToLower(found[1]), false
	}
	for _, one := range all {
		allowed = allowed || limit == one.name || strings.HasPrefix(limit, one.name+"_")
		if allowed && one.has {
			return one.name
		}
	}
	return "none"
}
