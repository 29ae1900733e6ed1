// Package memo caches values that are expensive to compute.
package memo

import "sync"

// Map computes a value once for each key. The zero value is an empty map, ready to use concurrently.
type Map[K comparable, V any] struct{ values sync.Map }

// Get returns the value for key, which the first call computes. It caches errors too.
func (m *Map[K, V]) Get(key K, compute func() (V, error)) (V, error) {
	once, known := m.values.Load(key)
	if !known {
		once, _ = m.values.LoadOrStore(key, sync.OnceValues(compute))
	}
	return once.(func() (V, error))()
}
