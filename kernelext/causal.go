package kernelext

// CausalTrace shows through which layers and tokens a language model's answer passes: the table of unlearnlab
// causal-trace, whose flags may follow, and its maps where --figure names a file for them. The subject is the part of
// the prompt in whose place something else is read:
//
//	kx.CausalTrace("llama", "The job of Ann is", "Ann", "baker", "--figure", "maps.png")
func CausalTrace(model, prompt, subject, answer string, flags ...string) {
	Command(append([]string{"causal-trace", "--model", model, "--prompt", prompt, "--subject", subject, "--answer",
		answer}, flags...)...)
}
