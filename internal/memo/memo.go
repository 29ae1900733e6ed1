// Package memo keeps what is expensive to compute.
package memo

import "sync"

// Map computes a value once for each key. The zero value is empty and ready to use, also by several goroutines.
type Map[K comparable, V any] struct{ values sync.Map }

// Get returns the value of key, which the first call computes by compute. It keeps errors as well as values.
func (m *Map[K, V]) Get(key K, compute func() (V, error)) (V, error) {
	once, known := m.values.Load(key)
	if !known {
		once, _ = m.values.LoadOrStore(key, sync.OnceValues(compute))
	}
	return once.(func() (V, error))()
}
