package denoising

// Methods returns the methods of "Unlearning or Concealment?", in the order of the catalogue.
func Methods() []Method {
	methods := []Method{ESDX(), ESDU(), NewerESDX(), NewerESDU()}
	for _, target := range []AblationTarget{ModelBased, NoiseBased} {
		for _, group := range AblationGroups() {
			methods = append(methods, AblatingConcepts(target, group))
		}
	}
	return append(methods, SDD())
}
