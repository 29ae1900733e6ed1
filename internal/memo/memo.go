// Package memo caches values that are expensive to compute.
package memo

import "sync"

// Map computes a value once for each key. The zero value is an empty map, ready for concurrent use.
type Map[K comparable, V any] struct{ values sync.Map }

// Get returns the value of key, which the first call computes. It caches errors as well as values.
func (m *Map[K, V]) Get(key K, compute func() (V, error)) (V, error) {
	once, known := m.values.Load(key)
	if !known {
		once, _ = m.values.LoadOrStore(key, sync.OnceValues(compute))
	}
	return once.(func() (V, error))()
}
