package certify

// A Relation compares the scores of models in one column of a table. It returns conditions that are all met if the
// relation holds. [ScoreOf] gives the names of the means that the conditions read from a panel.
type Relation func(column string) []Condition

// ScoreOf returns the panel's name for a model's mean score in a column.
func ScoreOf(model, column string) string { return model + ": " + column }

// Score returns a model's mean score in a column, as a quantity.
func Score(model, column string) Quantity { return Mean(ScoreOf(model, column)) }

// Says returns a claim of a paper: a relation that should hold in a column. The column is also the claim's unit.
func Says(name, source, quote, column string, of Relation) Claim {
	return Claim{Name: name, Source: source, Quote: quote, Unit: column, Of: of(column)}
}

// Explained returns a claim with a finding, which is printed if the claim fails.
func Explained(finding string, c Claim) Claim {
	c.Finding = finding
	return c
}

// OfEffect declares that several claims ask one question, for example of several methods, so that they are counted as
// one effect. [JudgeClaims] finds claims that compute the same number from the same outcomes by itself.
func OfEffect(effect string, claims ...Claim) []Claim {
	for i := range claims {
		claims[i].Effect = effect
	}
	return claims
}

// Greater requires that a model's score exceeds the score of each other model.
func Greater(model string, others ...string) Relation {
	return func(column string) []Condition {
		return Each(others, func(other string) []Condition { return Above(Score(model, column), Score(other, column)) })
	}
}

// Least requires that a model's score is below the score of each other model.
func Least(model string, others ...string) Relation {
	return func(column string) []Condition {
		return Each(others, func(other string) []Condition { return Above(Score(other, column), Score(model, column)) })
	}
}

// NotBelow requires that no other model's score exceeds the model's by margin or more.
func NotBelow(margin float64, model string, others ...string) Relation {
	return func(column string) []Condition {
		return Each(others, func(other string) []Condition {
			return MoreThan(-margin, Difference(Score(model, column), Score(other, column)))
		})
	}
}

// Over requires that a model's score exceeds a bound.
func Over(bound float64, model string) Relation {
	return func(column string) []Condition { return MoreThan(bound, Score(model, column)) }
}

// Under requires that a model's score is below a bound.
func Under(bound float64, model string) Relation {
	return func(column string) []Condition { return LessThan(bound, Score(model, column)) }
}

// Alike requires that the scores of two models differ by less than a margin.
func Alike(margin float64, a, b string) Relation {
	return func(column string) []Condition { return Within(margin, Score(a, column), Score(b, column)) }
}

// Nearer requires that a model's score is nearer to the score of one than to the score of other.
func Nearer(model, one, other string) Relation {
	return func(column string) []Condition {
		own := Score(model, column)
		return Above(Distance(own, Score(other, column)), Distance(own, Score(one, column)))
	}
}

// Every requires that several relations hold.
func Every(parts ...Relation) Relation {
	return func(column string) []Condition {
		return Each(parts, func(part Relation) []Condition { return part(column) })
	}
}

// Is returns a relation from conditions that do not depend on a column.
func Is(parts ...[]Condition) Relation { return func(string) []Condition { return All(parts...) } }

// Each calls of for each name and joins the conditions.
func Each[N any](names []N, of func(name N) []Condition) []Condition {
	var parts [][]Condition
	for _, name := range names {
		parts = append(parts, of(name))
	}
	return All(parts...)
}

// Distance returns the absolute difference of two quantities.
func Distance(a, b Quantity) Quantity {
	return func(m Means) float64 { return max(a(m)-b(m), b(m)-a(m)) }
}

// Times returns a multiple of a quantity.
func Times(factor float64, q Quantity) Quantity {
	return func(m Means) float64 { return factor * q(m) }
}
