package unlearn

// Methods are those of the papers, in the order of their tables.
func Methods() []Method {
	return []Method{
		GenericCaptions(), ShuffledCaptions(), DirectSimilarity(), NegativeGradient(), Finetuning(), DescentToDelete(), VLUnlearn(), DELETE(), CLIPErase(),
	}
}
