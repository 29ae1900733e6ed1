package kernelext

// CausalTrace shows through which layers and tokens a language model's answer passes. It prints the table of unlearnlab
// causal-trace, whose flags may follow; --figure names a file for the maps. subject is the part of the prompt that the
// trace replaces:
//
//	kx.CausalTrace("llama", "The job of Ann is", "Ann", "baker", "--figure", "maps.png")
func CausalTrace(model, prompt, subject, answer string, flags ...string) {
	Command(append([]string{"causal-trace", "--model", model, "--prompt", prompt, "--subject", subject, "--answer",
		answer}, flags...)...)
}
