package nn

// What the tests look at that nothing outside needs.
var (
	ConvolveNative   = convolveNative
	ConvolveProducts = convolveProducts
	Filled           = ConvConfig.filled

	Times           = times
	TimesTransposed = timesTransposed
	Contract        = contract
	Softmax         = softmax
)
