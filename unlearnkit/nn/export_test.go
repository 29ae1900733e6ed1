package nn

// What the tests look at that nothing outside needs.
var (
	ConvolveNative   = convolveNative
	ConvolveProducts = convolveProducts
	Filled           = ConvConfig.withDefaults

	Times           = matMul
	TimesTransposed = matMulTransposed
	Contract        = contract
	Softmax         = softmax
)
