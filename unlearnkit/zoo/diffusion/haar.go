package diffusion

import "slices"

// Haar converts pictures to latents and back without training. It applies the orthogonal Haar transform Levels times,
// so edges shrink by a factor of 2^Levels and there are 4^Levels times as many channels. Then it scales the bands to
// make their deviations more equal.
type Haar struct {
	Levels int     // 1 or 2
	Low    float64 // factor of the lowest band, multiplied by secondLow if there are two levels
	Detail float64 // factor of all other bands
}

// secondLow is a correction for the larger deviation of the lowest band with two levels.
const secondLow = .55

// Channels returns the number of channels in the latents of pictures with a given number of channels.
func (h Haar) Channels(pictures int) int { return pictures << (2 * h.Levels) }

// Encode converts a picture [channels, height, width] to a latent. Height and width must be multiples of 2^Levels.
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

// Decode inverts [Haar.Encode], given the channels, height and width of the picture.
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

// quads calls visit for each 2×2 square of a picture: i holds the indices of the four pixels, and o those of their
// values in the four bands.
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
