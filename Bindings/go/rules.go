// Package shunt decides what happens to a URL, by the rules of Shunt. It calls libshunt, whose header is the reference.
//
// Rules are immutable; a Store loads them again when their files change. Both may be used by any number of goroutines.
package shunt

/*
#cgo LDFLAGS: -lshunt
#include <shunt.h>
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"runtime"
	"strings"
	"unsafe"
)

// ErrInvalidRules is the cause of an error that has every mistake of the rules, with its line.
var ErrInvalidRules = errors.New("the rules are wrong")

// ErrUnavailable is the cause of an error about rules that cannot be read, or that were refused.
var ErrUnavailable = errors.New("the rules are not available")

// An Error is why rules could not be loaded. Its Unwrap is ErrInvalidRules, ErrUnavailable or nil.
type Error struct {
	Message string
	cause   error
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.cause }

// Options set how rules are loaded.
type Options struct {
	// Trusted are directories outside the rule directory that an include may lead to.
	Trusted []string
	// DocumentRoot is the root of locations that set none; with it -f and try_files read files.
	DocumentRoot string
	// LastKnownGood is the file of a copy with which a Store starts where the rules cannot be loaded.
	LastKnownGood string
	// IgnoreUnknown ignores directives that are unknown.
	IgnoreUnknown bool
	// Counts counts the decisions of each rule, for Hits.
	Counts bool
	// OnReload is called when a Store has loaded its rules again, or has refused them and keeps those in use.
	OnReload func(loaded bool, message string)
}

// Rules are what is asked about requests.
type Rules struct{ handle *C.shunt_rules }

// Load loads the rules at a path: a directory of *.conf files, one rule file, or an nginx.conf.
func Load(path string, options *Options) (*Rules, error) {
	return load(path, options, func(given *C.shunt_options, rules **C.shunt_rules, message **C.char) C.shunt_status {
		text := C.CString(path)
		defer C.free(unsafe.Pointer(text))
		return C.shunt_rules_load(text, given, rules, message)
	})
}

// Parse loads rules from a text, under a name for messages.
func Parse(text, name string, options *Options) (*Rules, error) {
	return load(name, options, func(given *C.shunt_options, rules **C.shunt_rules, message **C.char) C.shunt_status {
		bytes, file := C.CString(text), C.CString(name)
		defer C.free(unsafe.Pointer(bytes))
		defer C.free(unsafe.Pointer(file))
		return C.shunt_rules_parse(C.shunt_text{bytes, C.size_t(len(text))}, file, given, rules, message)
	})
}

func load(
	path string, options *Options, call func(*C.shunt_options, **C.shunt_rules, **C.char) C.shunt_status,
) (*Rules, error) {
	given, free, err := options.native(path)
	if err != nil {
		return nil, err
	}
	defer free()
	var rules *C.shunt_rules
	var message *C.char
	if err := failure(call(given, &rules, &message), message); err != nil {
		return nil, err
	}
	return newRules(rules), nil
}

func newRules(handle *C.shunt_rules) *Rules {
	rules := &Rules{handle}
	runtime.SetFinalizer(rules, func(rules *Rules) { C.shunt_rules_release(rules.handle) })
	return rules
}

// Count is the number of rules.
func (r *Rules) Count() int {
	defer runtime.KeepAlive(r)
	return int(C.shunt_rules_count(r.handle))
}

// Hash is the SHA-256 of the rule files, as hexadecimal digits.
func (r *Rules) Hash() string {
	defer runtime.KeepAlive(r)
	return take(C.shunt_rules_hash(r.handle))
}

// Report names a report about rules.
type Report C.shunt_report

// The reports.
const (
	Diagnostics = Report(C.SHUNT_DIAGNOSTICS)
	List        = Report(C.SHUNT_RULES)
	Routes      = Report(C.SHUNT_ROUTES)
	Hits        = Report(C.SHUNT_HITS)
)

// JSON returns a report as JSON, an object a line.
func (r *Rules) JSON(report Report) (string, error) {
	defer runtime.KeepAlive(r)
	var text *C.char
	err := failure(C.shunt_rules_report(r.handle, C.shunt_report(report), C.SHUNT_JSON, &text), nil)
	return take(text), err
}

// Decide decides about a request.
func (r *Rules) Decide(request *Request) (*Decision, error) {
	defer runtime.KeepAlive(r)
	return decide(request, func(c *call) C.shunt_status {
		return C.shunt_decide(r.handle, c.request, c.buffer, c.capacity, c.decision)
	})
}

// Explain returns every step that leads to the decision about a request, as a text.
func (r *Rules) Explain(request *Request) (string, error) {
	defer runtime.KeepAlive(r)
	c := newCall(request)
	defer c.free()
	var text *C.char
	err := failure(C.shunt_explain(r.handle, c.request, C.SHUNT_TEXT, &text), nil)
	return take(text), err
}

// take returns a text of the library, and frees it.
func take(text *C.char) string {
	defer C.shunt_free(text)
	return C.GoString(text)
}

// failure returns the error of a status, and frees the message.
func failure(status C.shunt_status, message *C.char) error {
	text := take(message)
	switch status {
	case C.SHUNT_OK:
		return nil
	case C.SHUNT_INVALID_RULES:
		return &Error{text, ErrInvalidRules}
	case C.SHUNT_UNAVAILABLE:
		return &Error{text, ErrUnavailable}
	default:
		return &Error{"invalid argument", nil}
	}
}

// native returns the options for the rules at a path in memory of C, and the function that frees them.
func (o *Options) native(path string) (*C.shunt_options, func(), error) {
	paths := []string{path}
	if o != nil {
		paths = append(append(paths, o.DocumentRoot, o.LastKnownGood), o.Trusted...)
	}
	for _, path := range paths {
		// The library would end it there.
		if strings.IndexByte(path, 0) >= 0 {
			return nil, nil, &Error{"a path has a NUL byte", nil}
		}
	}
	if o == nil {
		return nil, func() {}, nil
	}
	memory := &memory{}
	given := (*C.shunt_options)(memory.take(unsafe.Sizeof(C.shunt_options{})))
	given.size = C.size_t(unsafe.Sizeof(*given))
	if len(o.Trusted) > 0 {
		paths := memory.take(uintptr(len(o.Trusted)) * unsafe.Sizeof((*C.char)(nil)))
		for index, path := range o.Trusted {
			unsafe.Slice((**C.char)(paths), len(o.Trusted))[index] = memory.text(path + "\x00").bytes
		}
		given.trusted, given.trusted_count = (**C.char)(paths), C.size_t(len(o.Trusted))
	}
	if o.DocumentRoot != "" {
		given.document_root = memory.text(o.DocumentRoot + "\x00").bytes
	}
	if o.LastKnownGood != "" {
		given.last_known_good = memory.text(o.LastKnownGood + "\x00").bytes
	}
	given.ignores_unknown, given.counts, given.watches = C.bool(o.IgnoreUnknown), C.bool(o.Counts), true
	return given, memory.free, nil
}

// memory is a list of blocks of C, which hold pointers to each other as memory of Go may not.
type memory struct{ blocks []unsafe.Pointer }

func (m *memory) take(size uintptr) unsafe.Pointer {
	block := C.calloc(1, C.size_t(size))
	m.blocks = append(m.blocks, block)
	return block
}

// text copies a text; that of an empty one is not nil.
func (m *memory) text(value string) C.shunt_text {
	bytes := m.take(uintptr(len(value)) + 1)
	copy(unsafe.Slice((*byte)(bytes), len(value)), value)
	return C.shunt_text{(*C.char)(bytes), C.size_t(len(value))}
}

func (m *memory) free() {
	for _, block := range m.blocks {
		C.free(block)
	}
	m.blocks = nil
}
