package diffusion

import "slices"

// Haar converts pictures into latents and back without training. It repeats the orthogonal Haar transform Levels times,
// so edges shrink by 2^Levels and channels grow by 4^Levels, and scales its bands towards equal deviations.
type Haar struct {
	Levels int     // 1 or 2
	Low    float64 // factor of the lowest band; at two levels it is multiplied by secondLow
	Detail float64 // factor of all other bands
}

// secondLow corrects for the wider spread of the lowest band at two levels compared with one.
const secondLow = .55

// Channels returns the number of channels of latents of pictures with the given number of channels.
func (h Haar) Channels(pictures int) int { return pictures << (2 * h.Levels) }

// Encode converts a picture [channels, height, width] to its latent; the edges must be multiples of 2^Levels.
func (h Haar) Encode(picture []float32, channels, height, width int) []float32 {
	latent := split(picture, channels, height, width)
	if h.Levels == 2 {
		low := channels * height * width / 4
		latent = append(split(latent[:low], channels, height/2, width/2),
			split(latent[low:], 3*channels, height/2, width/2)...)
	}
	h.scale(latent, false)
	return latent
}

// Decode inverts [Haar.Encode]; channels, height and width are the picture's.
func (h Haar) Decode(latent []float32, channels, height, width int) []float32 {
	latent = slices.Clone(latent)
	h.scale(latent, true)
	if h.Levels == 2 {
		low := channels * height * width / 4
		latent = append(join(latent[:low], channels, height/2, width/2),
			join(latent[low:], 3*channels, height/2, width/2)...)
	}
	return join(latent, channels, height, width)
}

func (h Haar) scale(latent []float32, inverse bool) {
	low, detail := h.Low, h.Detail
	if h.Levels == 2 {
		low *= secondLow
	}
	if inverse {
		low, detail = 1/low, 1/detail
	}
	lowest := len(latent) >> (2 * h.Levels)
	for i := range latent {
		if i < lowest {
			latent[i] *= float32(low)
		} else {
			latent[i] *= float32(detail)
		}
	}
}

// quads visits the 2×2 squares of a picture: i are a square's four places in the picture, o its places in the four
// bands.
func quads(channels, height, width int, visit func(i, o [4]int)) {
	band := channels * height * width / 4
	for c := range channels {
		for y := range height / 2 {
			for x := range width / 2 {
				from, to := (c*height+2*y)*width+2*x, (c*height/2+y)*(width/2)+x
				visit([4]int{from, from + 1, from + width, from + width + 1},
					[4]int{to, to + band, to + 2*band, to + 3*band})
			}
		}
	}
}

func split(picture []float32, channels, height, width int) []float32 {
	bands := make([]float32, len(picture))
	quads(channels, height, width, func(i, o [4]int) {
		a, b, c, d := picture[i[0]], picture[i[1]], picture[i[2]], picture[i[3]]
		bands[o[0]], bands[o[1]], bands[o[2]], bands[o[3]] = (a+b+c+d)/2, (a-b+c-d)/2, (a+b-c-d)/2, (a-b-c+d)/2
	})
	return bands
}

func join(bands []float32, channels, height, width int) []float32 {
	picture := make([]float32, len(bands))
	quads(channels, height, width, func(i, o [4]int) {
		l, h, v, d := bands[o[0]], bands[o[1]], bands[o[2]], bands[o[3]]
		picture[i[0]], picture[i[1]], picture[i[2]], picture[i[3]] = (l+h+v+d)/2, (l-h+v-d)/2, (l+h-v-d)/2, (l-h-v+d)/2
	})
	return picture
}
