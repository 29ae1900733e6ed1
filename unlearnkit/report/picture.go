package report

// A Picture can draw itself and say in words what it shows. The figures of package plots are pictures.
type Picture interface {
	// PNG returns the picture with scale pixels for each pixel of the page, and the size that it takes on the page.
	PNG(scale int) (png []byte, width, height int, err error)
	// AltText says what is to be seen, for those who cannot see it.
	AltText() string
}
