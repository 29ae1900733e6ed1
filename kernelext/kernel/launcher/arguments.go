package launcher

// Completes tells whether completion knows what a verb takes.
func Completes(name string) bool {
	v, known := findVerb(name)
	return known && v.complete != nil
}

// Arguments are what completion offers for the argument of a verb after others: the same in a notebook and in a shell.
func Arguments(o Offers, name string, args []string) []string {
	v, known := findVerb(name)
	if !known || v.complete == nil {
		return nil
	}
	return v.complete(o, args)
}
