package shunt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A Decider decides about requests: Rules and Stores do, and a type of the program that chooses one of them by the Host.
type Decider interface {
	Decide(request *Request) (*Decision, error)
}

// A Handler asks rules about each request before the next handler sees it. Redirects, blocks, responses and failures are answered;
// other requests continue with the path and the arguments as the rules left them. A request that a rule sends to an upstream is
// answered 502: the handler is no proxy.
type Handler struct {
	Rules Decider
	Next  http.Handler
	// Inputs returns the values of input variables for a request; nil for none.
	Inputs func(*http.Request) map[string]string
}

type decisionKey struct{}

// DecisionOf returns the decision about a request that a Handler passed on, with its route and rule; nil for any other request.
func DecisionOf(r *http.Request) *Decision {
	decision, _ := r.Context().Value(decisionKey{}).(*Decision)
	return decision
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	target := r.RequestURI
	if target == "" {
		target = r.URL.RequestURI()
	}
	isSecure := r.TLS != nil
	asked := &Request{
		Target: target, Host: r.Host, Method: r.Method, Header: r.Header, IsSecure: &isSecure, IsHTTP10: !r.ProtoAtLeast(1, 1),
	}
	asked.ClientAddress = clientAddress(r.RemoteAddr)
	if h.Inputs != nil {
		asked.Inputs = h.Inputs(r)
	}
	decision, err := h.Rules.Decide(asked)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if decision.Kind != Forward || decision.IsUpstream {
		answer(w, r, decision)
		return
	}
	known := context.WithValue(r.Context(), decisionKey{}, decision)
	if decision.Target != "" && decision.Target != target {
		changed, err := url.ParseRequestURI(decision.Target)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		r = r.Clone(known)
		r.URL.Path, r.URL.RawPath, r.URL.RawQuery = changed.Path, changed.RawPath, changed.RawQuery
		r.RequestURI = decision.Target
	} else {
		r = r.WithContext(known)
	}
	if len(decision.Headers)+len(decision.SuccessHeaders) > 0 || decision.Status != 0 {
		adding := &addingWriter{ResponseWriter: w, decision: decision}
		h.Next.ServeHTTP(adding, r)
		adding.finish()
		return
	}
	h.Next.ServeHTTP(w, r)
}

// clientAddress returns the address of a client. One without an address came through a Unix socket; as in nginx, it is not one of
// this machine.
func clientAddress(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil || host == "" {
		return "unix:"
	}
	return host
}

// answer writes the answer of the rules.
func answer(w http.ResponseWriter, r *http.Request, decision *Decision) {
	status, body := decision.Status, decision.Body
	switch {
	case decision.Kind == Forward:
		// Serving such a request here would open what the rules keep elsewhere.
		status, body = http.StatusBadGateway, []byte("the rules send this request to an upstream\n")
	case status == 444:
		// As in nginx: the connection is closed without an answer.
		panic(http.ErrAbortHandler)
	case decision.Kind == Degrade:
		status = http.StatusFound
	case status < 200 || status > 999:
		status = http.StatusInternalServerError
	}
	add(w, decision.Headers)
	if decision.Kind != Forward && decision.URL != "" {
		w.Header().Set("Location", decision.URL)
	}
	if len(body) == 0 && status >= 300 && status != http.StatusNotModified {
		body = []byte(fmt.Sprintf("%d %s\n", status, http.StatusText(status)))
	}
	if status != http.StatusNoContent && status != http.StatusNotModified {
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "text/plain")
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// add adds headers, except the headers that mark the end of an answer, which the server writes.
func add(w http.ResponseWriter, fields []Field) {
	for _, field := range fields {
		switch http.CanonicalHeaderKey(field.Name) {
		case "Connection", "Content-Length", "Transfer-Encoding":
		default:
			w.Header().Add(field.Name, field.Value)
		}
	}
}

// addingWriter adds the headers of the rules to the answer of the next handler, and the status of an error page.
type addingWriter struct {
	http.ResponseWriter
	decision *Decision
	hasHead  bool
}

func (w *addingWriter) WriteHeader(status int) {
	if !w.hasHead && status >= 200 {
		w.hasHead = true
		if w.decision.Status >= 200 && w.decision.Status <= 999 {
			status = w.decision.Status
		}
		add(w, w.decision.Headers)
		if strings.Contains(" 200 201 204 206 301 302 303 304 307 308 ", fmt.Sprintf(" %d ", status)) {
			add(w, w.decision.SuccessHeaders)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *addingWriter) Write(bytes []byte) (int, error) {
	if !w.hasHead {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(bytes)
}

// finish writes the head of an answer without a body.
func (w *addingWriter) finish() {
	if !w.hasHead {
		w.WriteHeader(http.StatusOK)
	}
}

// Flush sends what is written so far, if the server can do so.
func (w *addingWriter) Flush() {
	w.finish()
	if flusher, ok := w.ResponseWriter.(http.Flusher); ok {
		flusher.Flush()
	}
}

// Hijack takes over the connection, if the server allows it.
func (w *addingWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	hijacker, ok := w.ResponseWriter.(http.Hijacker)
	if !ok {
		return nil, nil, errors.New("the connection cannot be taken over")
	}
	connection, buffer, err := hijacker.Hijack()
	w.hasHead = w.hasHead || err == nil
	return connection, buffer, err
}

// Unwrap is for http.ResponseController.
func (w *addingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
