package safefile

import (
	"errors"
	"fmt"
)

var errFLACSubframe = errors.New("damaged data: a subframe of an unknown kind")

// fixedCoefficients predict a sample from the samples before it, nearest first, RFC 9639, section 9.2.5.
var fixedCoefficients = [][]int64{{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}}

// readSubframe decodes the samples of one channel, each of width bits, into samples.
func (r *flacBits) readSubframe(samples []int32, width int) error {
	if r.unsigned(1) != 0 {
		return errFLACSubframe
	}
	kind := int(r.unsigned(6))
	wasted := 0 // low bits that are zero in every sample
	if r.unsigned(1) == 1 {
		wasted = int(r.unary()) + 1
	}
	if wasted >= width {
		return fmt.Errorf("damaged data: %d of %d bits wasted", wasted, width)
	}
	width -= wasted
	var err error
	switch {
	case kind == 0: // a constant
		value := int32(r.signed(width))
		for i := range samples {
			samples[i] = value
		}
	case kind == 1: // verbatim
		for i := range samples {
			samples[i] = int32(r.signed(width))
		}
	case kind >= 8 && kind <= 12:
		order := kind - 8
		if err = r.readResidual(samples, order, width); err == nil {
			err = predict(samples, fixedCoefficients[order], 0, width)
		}
	case kind >= 32:
		err = r.readLinear(samples, kind-31, width)
	default:
		return errFLACSubframe
	}
	if wasted > 0 {
		for i := range samples {
			samples[i] <<= wasted
		}
	}
	return err
}

// readLinear decodes a subframe with its own coefficients, which follow its first samples.
func (r *flacBits) readLinear(samples []int32, order, width int) error {
	if err := r.readFirst(samples, order, width); err != nil {
		return err
	}
	precision := int(r.unsigned(4)) + 1
	shift := r.signed(5)
	if precision == 16 || shift < 0 {
		return errors.New("damaged data: a predictor that FLAC does not allow")
	}
	coefficients := make([]int64, order)
	for i := range coefficients {
		coefficients[i] = r.signed(precision)
	}
	if err := r.readRest(samples, order); err != nil {
		return err
	}
	return predict(samples, coefficients, int(shift), width)
}

func (r *flacBits) readResidual(samples []int32, order, width int) error {
	if err := r.readFirst(samples, order, width); err != nil {
		return err
	}
	return r.readRest(samples, order)
}

// readFirst reads the first samples, which are not predicted.
func (r *flacBits) readFirst(samples []int32, order, width int) error {
	if order > len(samples) {
		return fmt.Errorf("damaged data: %d samples predict the rest of %d", order, len(samples))
	}
	for i := range order {
		samples[i] = int32(r.signed(width))
	}
	return nil
}

// readRest reads the prediction errors of the samples from order on, RFC 9639, section 9.2.7.
func (r *flacBits) readRest(samples []int32, order int) error {
	method := r.unsigned(2)
	if method > 1 {
		return errors.New("damaged data: a residual of an unknown kind")
	}
	width := 4 + int(method) // width of a partition's parameter
	partitions := 1 << r.unsigned(4)
	size := len(samples) / partitions
	if size*partitions != len(samples) || size < order {
		return fmt.Errorf("damaged data: %d samples in %d partitions", len(samples), partitions)
	}
	for i := range partitions {
		part := samples[i*size : (i+1)*size]
		if i == 0 {
			part = part[order:]
		}
		parameter := int(r.unsigned(width))
		if parameter == 1<<width-1 { // verbatim
			plain := int(r.unsigned(5))
			for j := range part {
				part[j] = int32(r.signed(plain))
			}
			continue
		}
		for j := range part {
			folded := r.unary()<<parameter | r.unsigned(parameter)
			part[j] = int32(folded>>1 ^ -(folded & 1))
		}
		if r.short {
			return errFLACShort
		}
	}
	return nil
}

// predict adds to each residual the prediction from the samples before it.
func predict(samples []int32, coefficients []int64, shift, width int) error {
	order := len(coefficients)
	limit := int64(1) << (width - 1)
	for i := order; i < len(samples); i++ {
		expected := int64(0)
		for j, coefficient := range coefficients {
			expected += coefficient * int64(samples[i-1-j])
		}
		value := int64(samples[i]) + expected>>shift
		if value < -limit || value >= limit {
			return fmt.Errorf("damaged data: a sample of more than %d bits", width)
		}
		samples[i] = int32(value)
	}
	return nil
}
