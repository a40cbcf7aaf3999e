package shunt

// #include <shunt.h>
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// A thread of the library calls it.
//
//export shuntReloaded
func shuntReloaded(context unsafe.Pointer, status C.shunt_status, message *C.char) {
	if onReload, _ := cgo.Handle(uintptr(context)).Value().(func(bool, string)); onReload != nil {
		onReload(status == C.SHUNT_OK, C.GoString(message))
	}
}
