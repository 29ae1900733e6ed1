package report

// A Picture can draw itself and describe itself in words. The figures of package plots are pictures.
type Picture interface {
	// PNG returns the picture with scale pixels for each pixel of the page, and its size on the page.
	PNG(scale int) (png []byte, width, height int, err error)
	// AltText describes the picture for readers who cannot see it.
	AltText() string
}
