package store

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCanonical_Vectors(t *testing.T) {
	tests := []struct {
		value any
		want  string
	}{
		// RFC 8785, sections 3.2.2 and 3.2.3, except for the order of names with characters beyond U+FFFF
		{json.RawMessage(
			`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`),
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		{json.RawMessage(`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`),
			"{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"\ufb33\":3,\"😀\":5}"},
		// RFC 8785, appendix B
		{math.Copysign(0, -1), "0"}, {5e-324, "5e-324"}, {math.MaxFloat64, "1.7976931348623157e+308"},
		{9007199254740992.0, "9007199254740992"},
		{295147905179352830000.0, "295147905179352830000"}, {9.999999999999997e22, "9.999999999999997e+22"},
		{999999999999999900000.0, "999999999999999900000"}, {1e21, "1e+21"},
		{9.999999999999997e-7, "9.999999999999997e-7"}, {0.000001, "0.000001"},
		{333333333.33333325, "333333333.33333325"}, {1424953923781206.2, "1424953923781206.2"},
		// integers keep all their digits
		{uint64(math.MaxUint64), "18446744073709551615"}, {int64(math.MinInt64), "-9223372036854775808"},
		{json.Number("100000000000000000001"), "100000000000000000001"},
		{[]any{1, 1.0, int8(1), json.Number("1.0"), json.Number("10e-1"), float32(1)}, "[1,1,1,1,1,1]"},
		{float32(0.1), "0.1"},
		{[]any{"<&>\u2028", "\ufffd", `\ufffd`, "\x7f"}, "[\"<&>\u2028\",\"\ufffd\",\"\\\\ufffd\",\"\x7f\"]"},
		{map[string]any{"b": []int{}, "a": map[string]any{}}, `{"a":{},"b":[]}`}, {nil, "null"},
		{struct {
			B float64 `json:"b"`
			A []string
		}{2, nil}, `{"A":null,"b":2}`},
	}
	for _, test := range tests {
		got, err := Canonical(test.value)
		if err != nil || string(got) != test.want {
			t.Errorf("%#v:\n got %q, %v\nwant %q", test.value, got, err, test.want)
		}
	}
}

func TestCanonical_Refused(t *testing.T) {
	tests := map[string]struct {
		value any
		says  string
	}{
		"NaN":                 {map[string]float64{"rate": math.NaN()}, "NaN"},
		"infinite":            {math.Inf(-1), "Inf"},
		"no UTF-8":            {[]string{"good", "b\xffd"}, "UTF-8"},
		"no UTF-8 after \\":   {"\\\xff", "UTF-8"},
		"a name twice":        {json.RawMessage(`{"a":{"b":1,"c":2,"b":1}}`), `"b" occurs twice`},
		"a number too large":  {json.RawMessage(`[1e999]`), "1e999 is out of range"},
		"too many digits":     {json.RawMessage(strings.Repeat("7", 22)), "more than 21 digits"},
		"a function":          {func() {}, "func()"},
		"not JSON in the raw": {json.RawMessage(`{"a":}`), "invalid"},
	}
	for name, test := range tests {
		got, err := Canonical(test.value)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %s, error %v", name, got, err)
		}
		if _, err := KeyOf(Stage{"stage", 1}, test.value); err == nil {
			t.Errorf("%s has a key", name)
		}
	}
}

// anyJSON returns a generator of nested values that encoding/json can encode, including int64 and uint64.
func anyJSON(depth int) *rapid.Generator[any] {
	text := rapid.StringOf(rapid.RuneFrom([]rune("aZ0\"\\\n\x00<é\u2028\ufffd😀")))
	kinds := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), text.AsAny(), rapid.Float64Range(-1e300, 1e300).AsAny(),
		rapid.Int64().AsAny(), rapid.Uint64().AsAny(),
	}
	if depth > 0 {
		kinds = append(kinds, rapid.SliceOfN(anyJSON(depth-1), 0, 4).AsAny(),
			rapid.MapOfN(text, anyJSON(depth-1), 0, 4).AsAny())
	}
	return rapid.OneOf(kinds...)
}

func TestCanonical_FixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := anyJSON(3).Draw(t, "value")
		once, err := Canonical(value)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := Canonical(json.RawMessage(once))
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%s becomes %s, %v", once, twice, err)
		}
		plain, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var want, got any
		if json.Unmarshal(plain, &want) != nil || json.Unmarshal(once, &got) != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is not %s", once, plain)
		}
		indented, err := json.MarshalIndent(value, " ", "\t") // MarshalIndent escapes < and sorts only maps
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Canonical(json.RawMessage(indented)); err != nil || string(again) != string(once) {
			t.Fatalf("%s becomes %s, %v", indented, again, err)
		}
	})
}

func TestKey_Distinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyJSON(2).Draw(t, "a"), anyJSON(2).Draw(t, "b")
		var decoded [2]any
		var keys [2]Key
		for i, value := range []any{a, b} {
			plain, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			decoder := json.NewDecoder(strings.NewReader(string(plain)))
			if err := decoder.Decode(&decoded[i]); err != nil {
				t.Fatal(err)
			}
			if keys[i], err = KeyOf(Stage{"s", 1}, value); err != nil {
				t.Fatal(err)
			}
		}
		if keys[0] == keys[1] && !reflect.DeepEqual(decoded[0], decoded[1]) {
			t.Fatalf("%v and %v have one key", a, b)
		}
	})
}

// A key depends on the JSON of a spec, not on its type or the order of its fields.
func TestKey_Content(t *testing.T) {
	type spec struct {
		Rate  float64 `json:"rate"`
		Seeds []int   `json:"seeds"`
	}
	type reordered struct {
		Seeds [2]int8     `json:"seeds"`
		Rate  json.Number `json:"rate"`
	}
	key := func(stage Stage, spec any) Key {
		k, err := KeyOf(stage, spec)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	stage := Stage{"salmu/train", 3}
	// printf '{"spec":{"rate":2,"seeds":[1,2]},"stage":"salmu/train","version":3}' | sha256sum
	const want = Key("6c702e1864eae7443fbf38675705169701e9000e0524ba1c8d936f5c91946f93")
	same := []any{spec{2, []int{1, 2}}, reordered{[2]int8{1, 2}, "2.0"},
		map[string]any{"seeds": []float32{1, 2}, "rate": 2}, json.RawMessage(" {\"seeds\":[1,2],\n\"rate\":0.2e1}")}
	for _, s := range same {
		if got := key(stage, s); got != want {
			t.Errorf("%#v: %s", s, got)
		}
	}
	seen := map[Key]any{want: "the same"}
	for _, other := range []struct {
		stage Stage
		spec  any
	}{
		{Stage{"salmu/train", 4}, same[0]}, {Stage{"salmu/tune", 3}, same[0]}, {stage, spec{2.5, []int{1, 2}}},
		{stage, spec{2, []int{2, 1}}}, {stage, spec{2, nil}},
		{stage, spec{2, []int{}}}, {stage, map[string]any{"seeds": []int{1, 2}, "rate": "2"}}, {stage, nil},
	} {
		k := key(other.stage, other.spec)
		if seen[k] != nil {
			t.Errorf("%v has the key of %v", other, seen[k])
		}
		seen[k] = other
	}
	if _, err := KeyOf(Stage{}, 1); err == nil {
		t.Error("a stage without a name has a key")
	}
}
