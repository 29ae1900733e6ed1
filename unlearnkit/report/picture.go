package report

// A Picture can be rendered as PNG and described in words. The figures of package plots are pictures.
type Picture interface {
	// PNG renders the picture with scale × scale pixels per pixel of the page. width and height are its size on the
	// page.
	PNG(scale int) (png []byte, width, height int, err error)
	// AltText describes the picture for readers who cannot see it.
	AltText() string
}
