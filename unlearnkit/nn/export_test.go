package nn

// These internals are exported for tests only.
var (
	ConvolveNative   = convolveNative
	ConvolveProducts = convolveProducts
	Filled           = ConvConfig.withDefaults

	Times           = matMul
	TimesTransposed = matMulTransposed
	Contract        = contract
	Softmax         = softmax
)
