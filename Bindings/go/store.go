package shunt

/*
#include <shunt.h>
#include <stdlib.h>

void shuntReloaded(void *context, shunt_status status, char *message);

static shunt_status open_store(
    const char *path, const shunt_options *options, uintptr_t context, shunt_store **store, char **message) {
    return shunt_store_open(path, options, (shunt_reloaded)shuntReloaded, (void *)context, store, message);
}
*/
import "C"

import (
	"runtime"
	"runtime/cgo"
	"sync"
	"unsafe"
)

// A Store keeps rules up to date: it loads them again when their files change, and keeps those in use where the new ones are wrong.
type Store struct {
	handle *C.shunt_store
	onLoad cgo.Handle
	closed sync.Once
}

// OpenStore opens a store for the rules at a path.
func OpenStore(path string, options *Options) (*Store, error) {
	if options == nil {
		options = &Options{}
	}
	given, free, err := options.native(path)
	if err != nil {
		return nil, err
	}
	defer free()
	file := C.CString(path)
	defer C.free(unsafe.Pointer(file))
	store := &Store{onLoad: cgo.NewHandle(options.OnReload)}
	var message *C.char
	if err := failure(C.open_store(file, given, C.uintptr_t(store.onLoad), &store.handle, &message), message); err != nil {
		store.onLoad.Delete()
		return nil, err
	}
	runtime.SetFinalizer(store, func(store *Store) {
		store.Close()
		C.shunt_store_close(store.handle)
	})
	return store, nil
}

// Close stops watching the files and calling OnReload. The rules in use stay, for goroutines that are deciding.
func (s *Store) Close() {
	defer runtime.KeepAlive(s)
	s.closed.Do(func() {
		C.shunt_store_close(C.shunt_store_retain(s.handle))
		s.onLoad.Delete()
	})
}

// Rules returns the rules in use.
func (s *Store) Rules() *Rules {
	defer runtime.KeepAlive(s)
	return newRules(C.shunt_store_rules(s.handle))
}

// Generation is the number of the rules in use: 1 at first, one more whenever others come into use.
func (s *Store) Generation() uint64 {
	defer runtime.KeepAlive(s)
	return uint64(C.shunt_store_generation(s.handle))
}

// Reload loads the rules again, and returns what changed.
func (s *Store) Reload() (string, error) {
	defer runtime.KeepAlive(s)
	var message *C.char
	if status := C.shunt_store_reload(s.handle, &message); status != C.SHUNT_OK {
		return "", failure(status, message)
	}
	return take(message), nil
}

// Decide decides about a request with the rules in use.
func (s *Store) Decide(request *Request) (*Decision, error) {
	defer runtime.KeepAlive(s)
	return decide(request, func(c *call) C.shunt_status {
		return C.shunt_store_decide(s.handle, c.request, c.buffer, c.capacity, c.decision)
	})
}
