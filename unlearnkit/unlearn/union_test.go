package unlearn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// numbers returns a table whose rows have two numbers in "x" and one in "y", counted from begin.
func numbers(begin, rows int) unlearn.Table {
	x, y := make([]int32, 2*rows), make([]float32, rows)
	for i := range rows {
		x[2*i], x[2*i+1], y[i] = int32(begin+i), -int32(begin+i), float32(begin+i)
	}
	return unlearn.Table{"x": tensors.FromFlatDataAndDimensions(x, rows, 2),
		"y": tensors.FromFlatDataAndDimensions(y, rows)}
}

func TestUnion_Rows(t *testing.T) {
	second := numbers(100, 4)
	second["a"] = tensors.FromFlatDataAndDimensions([]int32{1, 2, 3, 4}, 4) // the first stream lacks this column
	u := unlearn.Union{First: numbers(0, 3), Second: second, Mark: "first"}
	if want := []string{"x", "y", "first"}; u.Rows() != 7 || !slices.Equal(u.Columns(), want) {
		t.Fatalf("%d rows of %v", u.Rows(), u.Columns())
	}
	for _, test := range []struct {
		rows []int
		want string
	}{
		{[]int{5, 0, 3, 2, 0}, "[102 -102 0 0 100 -100 2 -2 0 0] [102 0 100 2 0] [0 1 0 1 1]"},
		{[]int{2, 1}, "[2 -2 1 -1] [2 1] [1 1]"},
		{[]int{6, 3}, "[103 -103 100 -100] [103 100] [0 0]"},
	} {
		columns, err := u.Batch(test.rows)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, column := range columns {
			got = append(got, fmt.Sprint(column.Value()))
		}
		text := strings.NewReplacer("[[", "[", "]]", "]", "] [", " ").Replace(got[0])
		if text = text + " " + got[1] + " " + got[2]; text != test.want {
			t.Errorf("%v: %s, want %s", test.rows, text, test.want)
		}
	}
}

func TestUnion_Misfit(t *testing.T) {
	wide := unlearn.Table{"x": tensors.FromFlatDataAndDimensions([]int32{1, 2, 3}, 1, 3),
		"y": tensors.FromFlatDataAndDimensions([]float32{1}, 1)}
	u := unlearn.Union{First: numbers(0, 3), Second: wide, Mark: "first"}
	if _, err := u.Batch([]int{0, 1}); err != nil {
		t.Errorf("rows of one stream: %v", err)
	}
	_, err := u.Batch([]int{0, 3})
	want := "column x: the shapes (Int32)[1, 2] and (Int32)[1, 3] cannot be concatenated"
	if fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func ExampleUnion() {
	forget := unlearn.Table{"clip": tensors.FromFlatDataAndDimensions([]int32{10, 11}, 2)}
	retain := unlearn.Table{"clip": tensors.FromFlatDataAndDimensions([]int32{20, 21, 22}, 3)}
	both := unlearn.Union{First: forget, Second: retain, Mark: "forgotten"}
	columns, err := both.Batch([]int{4, 1, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, name := range both.Columns() {
		fmt.Println(name, columns[i].Value())
	}
	// Output:
	// clip [22 11 20]
	// forgotten [0 1 0]
}
