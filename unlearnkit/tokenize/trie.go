package tokenize

// A trie finds the pieces that a text begins with, in time linear in the longest of them.
type trie struct {
	next map[edge]int
	ends map[int]int // node to the number of the piece that ends there
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

// prefixes calls found with the length and number of each piece that text begins with, the shortest first.
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

// longest is the length and number of the longest piece that text begins with; the length is 0 where there is none.
func (t *trie) longest(text string) (length, number int) {
	t.prefixes(text, func(n, piece int) { length, number = n, piece })
	return length, number
}
