package launcher

// Completes reports whether a verb's arguments can be completed.
func Completes(name string) bool {
	v, known := findVerb(name)
	return known && v.complete != nil
}

// Arguments returns the completions of a verb's next argument after args, for notebook and shell.
func Arguments(o Offers, name string, args []string) []string {
	v, known := findVerb(name)
	if !known || v.complete == nil {
		return nil
	}
	return v.complete(o, args)
}
