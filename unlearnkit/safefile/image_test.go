package safefile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ExampleReadImage() {
	image, err := ReadImage("testdata/rgba.png")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(image.Width, image.Height, image.Pix[:6])
	// Output:
	// 23 17 [0 119 0 14 133 0]
}

func TestImage_EqualsPillow(t *testing.T) {
	wants, err := OpenNpz("testdata/images.npz")
	if err != nil {
		t.Fatal(err)
	}
	if len(wants.Names()) != 33 {
		t.Errorf("%d images", len(wants.Names()))
	}
	for _, name := range wants.Names() {
		image, err := ReadImage(filepath.Join("testdata", name))
		if err != nil {
			t.Error(err)
			continue
		}
		shape, _ := wants.Tensor(name)
		if !slices.Equal(shape.Shape, []int{image.Height, image.Width, 3}) {
			t.Errorf("%s: %d × %d, want %v", name, image.Width, image.Height, shape.Shape)
			continue
		}
		want, err := wants.Bytes(name)
		if err != nil {
			t.Fatal(err)
		}
		worst, differ := 0, 0
		for i := range want {
			if off := max(int(image.Pix[i])-int(want[i]), int(want[i])-int(image.Pix[i])); off > 0 {
				worst, differ = max(worst, off), differ+1
			}
		}
		// Each plane of a JPEG is off by 1 at most, and blue is the brightness plus 1.772 times a color.
		limit := 0
		switch {
		case strings.HasSuffix(name, ".png"):
		case name == "gray.jpg" || name == "planes.jpg" || name == "cmyk.jpg":
			limit = 1
		default:
			limit = 3
		}
		if worst > limit || differ > len(want)/15 {
			t.Errorf("%s: %d of %d values differ from Pillow's, by up to %d", name, differ, len(want), worst)
		}
	}
}

func TestImage_RoundTrip(t *testing.T) {
	image, err := ReadImage("testdata/rgb.png")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	var written [2][]byte
	for i := range written {
		path := filepath.Join(folder, fmt.Sprint(i, ".png"))
		if err := WritePNG(path, image); err != nil {
			t.Fatal(err)
		}
		again, err := ReadImage(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(image, again); diff != "" {
			t.Errorf("mismatch (-image +again):\n%s", diff)
		}
		if written[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(written[0], written[1]) {
		t.Error("two writes differ")
	}
	for _, bad := range []*Image{{}, {2, 1, make([]byte, 5)}, {-1, -1, make([]byte, 3)}} {
		path := filepath.Join(folder, "bad.png")
		checkRefusal(t, fmt.Sprint(bad), WritePNG(path, bad), "write "+path+": ", "bytes are not")
	}
}

// pngClaiming returns a PNG file whose header has the given values, followed by some data.
func pngClaiming(width, height uint32, depth, kind byte) string {
	chunk := func(name, content string) string {
		sum := crc32.ChecksumIEEE([]byte(name + content))
		return string(binary.BigEndian.AppendUint32(nil, uint32(len(content)))) + name + content +
			string(binary.BigEndian.AppendUint32(nil, sum))
	}
	size := string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height))
	return pngMagic + chunk("IHDR", size+string([]byte{depth, kind, 0, 0, 0})) +
		chunk("IDAT", "\x78\x9c\x63\x00\x00\x00\x01\x00\x01") + chunk("IEND", "")
}

func imageAttacks(t testing.TB) []attack {
	read := func(path string) string {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	picture, photo := read("testdata/rgb.png"), read("testdata/rgb420.jpg")
	sizeAt := strings.Index(photo, "\xff\xc0") + 5
	claiming := func(size string) string { return photo[:sizeAt] + size + photo[sizeAt+4:] }
	return []attack{
		{"magic", "GIF89a", "neither a PNG nor a JPEG file"},
		{"PNG bomb", pngClaiming(30000, 30000, 8, 2), "30,000 × 30,000 pixels, at most 64 million are read"},
		{"largest PNG", pngClaiming(0x7fffffff, 0x7fffffff, 16, 6),
			"not a whole PNG file: png: unsupported feature: dimension overflow"},
		{"large PNG", pngClaiming(7000, 9000, 16, 6), "7,000 × 9,000 pixels, more than the file can hold"},
		{"no pixels", pngClaiming(0, 5, 8, 2), "not a whole PNG file: png: invalid format: non-positive dimension"},
		{"no such depth", pngClaiming(5, 5, 3, 2), "not a whole PNG file: png: unsupported feature: bit depth 3"},
		{"no palette", pngClaiming(5, 5, 8, 3), "not a whole PNG file"},
		{"PNG too short", pngClaiming(5, 5, 8, 2), "not a whole PNG file"},
		{"cut PNG", picture[:len(picture)/2], "not a whole PNG file: png: invalid format: not enough pixel data"},
		{"PNG checksum", picture[:20] + "\x55" + picture[21:],
			"not a whole PNG file: png: invalid format: invalid checksum"},
		{"JPEG alone", "\xff\xd8", "not a whole JPEG file"},
		{"cut JPEG", photo[:len(photo)-20], "not a whole JPEG file: invalid JPEG format: short Huffman data"},
		{"JPEG bomb", claiming("\xff\xff\xff\xff"), "65,535 × 65,535 pixels, at most 64 million are read"},
		{"large JPEG", claiming("\x1f\x00\x1f\x00"), "7,936 × 7,936 pixels, more than the file can hold"},
		{"flat JPEG", claiming("\x00\x00\x00\x05"), "5 × 0 pixels"},
	}
}

func TestImage_Attacks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for _, attack := range imageAttacks(t) {
		if err := os.WriteFile(path, []byte(attack.content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadImage(path)
		checkRefusal(t, attack.name, err, "read "+path+": ", attack.says)
		// nolint:errcheck // refused, as just seen
		allocated := bytesAllocated(func() { parseImage([]byte(attack.content)) })
		if allocated > 256<<10 {
			t.Errorf("%s: %d bytes allocated for %d", attack.name, allocated, len(attack.content))
		}
	}
}

func TestImage_DamagedBytes(t *testing.T) {
	for _, file := range []string{"testdata/palettealpha.png", "testdata/progressive.jpg", "testdata/cmyk.jpg"} {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			damaged := bytes.Clone(whole)
			damaged[i] ^= 0x55
			for _, content := range [][]byte{damaged, whole[:i]} {
				if _, err := parseImage(content); err != nil && strings.Contains(err.Error(), "\n") {
					t.Errorf("%s, byte %d: more than one line: %s", file, i, err)
				}
			}
		}
	}
}

func FuzzPNG(f *testing.F) {
	addFixtures(f, ".png")
	fuzzImage(f)
}

func FuzzJPEG(f *testing.F) {
	addFixtures(f, ".jpg")
	fuzzImage(f)
}

func fuzzImage(f *testing.F) {
	for _, attack := range imageAttacks(f) {
		f.Add([]byte(attack.content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		image, err := parseImage(content)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		if len(image.Pix) != 3*image.Width*image.Height || len(image.Pix) == 0 {
			t.Errorf("%d bytes for %d × %d pixels", len(image.Pix), image.Width, image.Height)
		}
	})
}
