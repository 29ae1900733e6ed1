package tokenize

// A trie finds the pieces at the beginning of a text, in time linear in the longest piece.
type trie struct {
	next map[edge]int
	ends map[int]int // number of the piece that ends at each node
}

type edge struct {
	node int
	b    byte
}

func newTrie() *trie { return &trie{map[edge]int{}, map[int]int{}} }

func (t *trie) add(piece string, number int) {
	node := 0
	for i := range len(piece) {
		e := edge{node, piece[i]}
		child, ok := t.next[e]
		if !ok {
			child = len(t.next) + 1
			t.next[e] = child
		}
		node = child
	}
	t.ends[node] = number
}

// prefixes calls found with the length and number of each piece at the beginning of text, shortest first.
func (t *trie) prefixes(text string, found func(length, number int)) {
	node := 0
	for i := range len(text) {
		child, ok := t.next[edge{node, text[i]}]
		if !ok {
			return
		}
		node = child
		if number, ok := t.ends[node]; ok {
			found(i+1, number)
		}
	}
}

// longest returns the length and number of the longest piece at the beginning of text. If no piece matches, the length
// is 0.
func (t *trie) longest(text string) (length, number int) {
	t.prefixes(text, func(n, piece int) { length, number = n, piece })
	return length, number
}
