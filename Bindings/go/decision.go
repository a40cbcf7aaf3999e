package shunt

/*
#include <shunt.h>
#include <stdlib.h>
*/
import "C"

import (
	"net/http"
	"time"
	"unsafe"
)

// A Request is what rules decide about. Its zero value has the defaults of everything.
type Request struct {
	// URL is a whole URL of any scheme.
	URL string
	// Target is that of an HTTP request line, in place of a URL, and Host its Host.
	Target, Host string
	// Method is GET if it is empty.
	Method string
	Header http.Header
	// Inputs are the values of input variables, by name without the dollar sign.
	Inputs map[string]string
	// ClientAddress is 127.0.0.1 if it is empty.
	ClientAddress string
	// ServerPort is the port that the request arrived at; 0 chooses a listen of the rules.
	ServerPort uint16
	// IsSecure is true if the connection has TLS; nil for the setting of the listen.
	IsSecure *bool
	// IsHTTP10 is true for a request of HTTP/1.0.
	IsHTTP10 bool
	// Time is now if it is zero.
	Time time.Time
}

// A Kind is a kind of decision.
type Kind C.shunt_kind

// The kinds. The client is sent to the URL of Redirect; of Degrade the app opens it in a browser. A request that Fails is refused.
const (
	Forward  = Kind(C.SHUNT_FORWARD)
	Redirect = Kind(C.SHUNT_REDIRECT)
	Degrade  = Kind(C.SHUNT_DEGRADE)
	Respond  = Kind(C.SHUNT_RESPOND)
	Block    = Kind(C.SHUNT_BLOCK)
	Fail     = Kind(C.SHUNT_FAIL)
)

// A Field is a name and a value: a header, or a parameter of a route.
type Field struct{ Name, Value string }

// A Decision is what is to happen to a request.
type Decision struct {
	Kind Kind
	// Status is 0 without one; 444 closes the connection without an answer.
	Status int
	// IsUpstream is true if a proxy_pass chose where the request goes.
	IsUpstream bool
	// URL is where the request goes, or the Location.
	URL string
	// Target and Authority are for the request line to an upstream: send these, not parts of the URL.
	Target, Authority string
	// Path is the path as the rules left it, decoded.
	Path string
	Body []byte
	// Reason is the cause of a failure.
	Reason string
	// File, Line and Column are the place of the rule; Line is 0 without one.
	File         string
	Line, Column int
	Route        string
	Parameters   []Field
	// Headers are for the answer, SuccessHeaders for answers with the usual statuses only.
	Headers, SuccessHeaders, UpstreamHeaders []Field
}

// call is the memory of one question.
type call struct {
	memory
	request  *C.shunt_request
	decision *C.shunt_decision
	buffer   unsafe.Pointer
	capacity C.size_t
}

func newCall(request *Request) *call {
	c := &call{}
	c.request = (*C.shunt_request)(c.take(unsafe.Sizeof(C.shunt_request{})))
	c.request.size = C.size_t(unsafe.Sizeof(*c.request))
	if request.Target != "" {
		c.request.url, c.request.host = c.text(request.Target), c.text(request.Host)
	} else {
		c.request.url = c.text(request.URL)
	}
	c.request.method = c.text(request.Method)
	var headers, inputs []Field
	for name, values := range request.Header {
		for _, value := range values {
			headers = append(headers, Field{name, value})
		}
	}
	for name, value := range request.Inputs {
		inputs = append(inputs, Field{name, value})
	}
	c.request.headers, c.request.header_count = c.fields(headers)
	c.request.inputs, c.request.input_count = c.fields(inputs)
	c.request.client_address = c.text(request.ClientAddress)
	c.request.server_port = C.uint16_t(request.ServerPort)
	if request.IsSecure != nil {
		c.request.security = 1
		if *request.IsSecure {
			c.request.security = 2
		}
	}
	if !request.IsHTTP10 {
		c.request.http_version = 1
	}
	if !request.Time.IsZero() {
		c.request.seconds = C.int64_t(request.Time.Unix())
		c.request.nanoseconds = C.uint32_t(request.Time.Nanosecond())
	}
	return c
}

func (c *call) fields(values []Field) (*C.shunt_field, C.size_t) {
	if len(values) == 0 {
		return nil, 0
	}
	block := (*C.shunt_field)(c.take(uintptr(len(values)) * unsafe.Sizeof(C.shunt_field{})))
	fields := unsafe.Slice(block, len(values))
	for index, value := range values {
		fields[index] = C.shunt_field{c.text(value.Name), c.text(value.Value)}
	}
	return block, C.size_t(len(values))
}

// decide asks with a buffer, and again with a larger one where that is too small.
func decide(request *Request, ask func(*call) C.shunt_status) (*Decision, error) {
	c := newCall(request)
	defer c.free()
	c.decision = (*C.shunt_decision)(c.take(unsafe.Sizeof(C.shunt_decision{})))
	c.capacity = 4096
	for {
		c.buffer = c.take(uintptr(c.capacity))
		c.decision.size = C.size_t(unsafe.Sizeof(*c.decision))
		status := ask(c)
		if status == C.SHUNT_TOO_SMALL && c.decision.needed > c.capacity {
			c.capacity = c.decision.needed
			continue
		}
		if err := failure(status, nil); err != nil {
			return nil, err
		}
		return c.decision.value(), nil
	}
}

func (d *C.shunt_decision) value() *Decision {
	return &Decision{
		Kind: Kind(d.kind), Status: int(d.status), IsUpstream: bool(d.is_upstream), URL: text(d.url), Target: text(d.target),
		Authority: text(d.authority), Path: text(d.path), Body: []byte(text(d.body)), Reason: text(d.reason), File: text(d.file),
		Line: int(d.line), Column: int(d.column), Route: text(d.route), Parameters: fields(d.parameters, d.parameter_count),
		Headers: fields(d.headers, d.header_count), SuccessHeaders: fields(d.success_headers, d.success_header_count),
		UpstreamHeaders: fields(d.upstream_headers, d.upstream_header_count),
	}
}

func text(given C.shunt_text) string { return C.GoStringN(given.bytes, C.int(given.length)) }

func fields(given *C.shunt_field, count C.size_t) []Field {
	var found []Field
	for _, field := range unsafe.Slice(given, int(count)) {
		found = append(found, Field{text(field.name), text(field.value)})
	}
	return found
}
