package launcher

// Completes reports whether completion knows a verb's arguments.
func Completes(name string) bool {
	v, known := findVerb(name)
	return known && v.complete != nil
}

// Arguments returns what completion offers for a verb's next argument after args. Notebook and shell share it.
func Arguments(o Offers, name string, args []string) []string {
	v, known := findVerb(name)
	if !known || v.complete == nil {
		return nil
	}
	return v.complete(o, args)
}
