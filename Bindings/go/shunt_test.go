package shunt

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const ruleText = `
input $app_version 0;
route GET /users/:id user;
server {
    listen 80;
    server_name www.a.test;
    rewrite ^/moved/(.*)$ /here/$1?from=$server_port last;
    add_header X-Rules yes;
    location /old { return 301 /new; }
    location /hello { return 200 "hello $arg_name"; }
    location /version { return 200 "$app_version $http_x_name"; }
    location /admin { return 403; }
    location /close { return 444; }
    location /api { proxy_pass http://10.0.0.1:81; }
    location /sorry { error_page 503 /page; return 503; }
}
if ($time < 2026-01-01T00:00:00Z) { block host old.test; }
`

func parsed(t *testing.T) *Rules {
	rules, err := Parse(ruleText, "a.conf", &Options{Counts: true})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func decided(t *testing.T, decider Decider, request *Request) *Decision {
	decision, err := decider.Decide(request)
	if err != nil {
		t.Fatal(err)
	}
	return decision
}

func TestDecisions(t *testing.T) {
	rules := parsed(t)
	decision := decided(t, rules, &Request{URL: "http://www.a.test/old"})
	if decision.Kind != Redirect || decision.Status != 301 || decision.URL != "http://www.a.test/new" {
		t.Errorf("%+v", decision)
	}
	if decision.File != "a.conf" || decision.Line != 9 {
		t.Errorf("%s:%d", decision.File, decision.Line)
	}
	decision = decided(t, rules, &Request{Target: "/hello?name=you", Host: "www.a.test"})
	if decision.Kind != Respond || string(decision.Body) != "hello you" || !reflect.DeepEqual(decision.Headers[1:], []Field{{"X-Rules", "yes"}}) {
		t.Errorf("%+v", decision)
	}
	decision = decided(t, rules, &Request{URL: "http://www.a.test/users/a%20b"})
	if decision.Route != "user" || len(decision.Parameters) != 1 || decision.Parameters[0] != (Field{"id", "a b"}) {
		t.Errorf("%+v", decision)
	}
	decision = decided(t, rules, &Request{URL: "http://www.a.test/api/x"})
	if !decision.IsUpstream || decision.Authority != "10.0.0.1:81" || decision.Target != "/api/x" {
		t.Errorf("%+v", decision)
	}
	if decision = decided(t, rules, &Request{URL: "http://www.a.test/%zz"}); decision.Kind != Fail || decision.Reason == "" {
		t.Errorf("%+v", decision)
	}
	decision = decided(t, rules, &Request{
		URL: "http://www.a.test/version", Inputs: map[string]string{"app_version": "3.1"}, Header: http.Header{"X-Name": {"ü"}},
	})
	if string(decision.Body) != "3.1 ü" {
		t.Errorf("%s", decision.Body)
	}
	for year, kind := range map[int]Kind{2025: Block, 2027: Forward} {
		when := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		if decision := decided(t, rules, &Request{URL: "http://old.test/a", Time: when}); decision.Kind != kind {
			t.Errorf("%d: %v", year, decision.Kind)
		}
	}
	long := strings.Repeat("x", 20_000)
	if decision := decided(t, rules, &Request{URL: "http://www.a.test/hello?name=" + long}); string(decision.Body) != "hello "+long {
		t.Errorf("%d bytes", len(decision.Body))
	}
}

func TestWrongRules(t *testing.T) {
	_, err := Parse("server { retrun 1; }", "b.conf", nil)
	if !errors.Is(err, ErrInvalidRules) || !strings.Contains(err.Error(), "b.conf:1:10: error:") {
		t.Error(err)
	}
	if _, err = Load("/nowhere/at/all", nil); err == nil {
		t.Error("loaded")
	}
	if _, err = OpenStore("/nowhere/at/all", nil); err == nil {
		t.Error("opened")
	}
}

func TestReports(t *testing.T) {
	rules := parsed(t)
	decided(t, rules, &Request{URL: "http://www.a.test/admin"})
	if len(rules.Hash()) != 64 || rules.Count() == 0 {
		t.Error(rules.Hash(), rules.Count())
	}
	for report, part := range map[Report]string{Routes: `"user"`, Hits: `"hits":1`, List: `return`} {
		if text, err := rules.JSON(report); err != nil || !strings.Contains(text, part) {
			t.Error(part, text, err)
		}
	}
	if text, err := rules.Explain(&Request{URL: "http://www.a.test/admin"}); err != nil || !strings.Contains(text, "403") {
		t.Error(text, err)
	}
}

func TestHandler(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			w.WriteHeader(404)
		}
		_, _ = io.WriteString(w, "served "+r.URL.RequestURI())
	})
	inputs := func(*http.Request) map[string]string { return map[string]string{"app_version": "7"} }
	server := httptest.NewServer(&Handler{Rules: parsed(t), Next: next, Inputs: inputs})
	defer server.Close()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, row := range []struct {
		path     string
		status   int
		body     string
		location string
		header   string
	}{
		{"/old", 301, "301 Moved Permanently\n", "http://www.a.test/new", "yes"},
		{"/admin", 403, "403 Forbidden\n", "", ""},
		{"/hello?name=you", 200, "hello you", "", "yes"},
		{"/version", 200, "7 ", "", "yes"},
		{"/api/x", 502, "the rules send this request to an upstream\n", "", ""},
		{"/moved/a%20b?x=1", 200, "served /here/a%20b?from=80&x=1", "", "yes"},
		{"/shoes?x=1", 200, "served /shoes?x=1", "", "yes"},
		{"/sorry", 503, "served /page", "", ""},
		{"/missing", 404, "served /missing", "", ""},
	} {
		request, _ := http.NewRequest("GET", server.URL+row.path, nil)
		request.Host = "www.a.test"
		answer, err := client.Do(request)
		if err != nil {
			t.Error(row.path, err)
			continue
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != row.status || string(body) != row.body || answer.Header.Get("Location") != row.location ||
			answer.Header.Get("X-Rules") != row.header {
			t.Errorf("%s: %d %q %v", row.path, answer.StatusCode, body, answer.Header)
		}
	}
	request, _ := http.NewRequest("GET", server.URL+"/close", nil)
	request.Host = "www.a.test"
	if answer, err := client.Do(request); err == nil {
		t.Error("444 was answered:", answer.Status)
	}
}

// answered returns what a handler answers without a server.
func answered(t *testing.T, text, path string, next http.HandlerFunc, change func(*http.Request)) *httptest.ResponseRecorder {
	rules, err := Parse(text, "a.conf", nil)
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest("GET", "http://www.a.test"+path, nil)
	if change != nil {
		change(request)
	}
	recorder := httptest.NewRecorder()
	(&Handler{Rules: rules, Next: next}).ServeHTTP(recorder, request)
	return recorder
}

func TestDecisionsOfRequests(t *testing.T) {
	for path, rule := range map[string]int{"/moved/a": 1, "/other": 0} {
		next := func(w http.ResponseWriter, r *http.Request) {
			decision := DecisionOf(r)
			if decision == nil || decision.Line != rule || decision.Path != r.URL.Path {
				t.Error(path, decision)
			}
		}
		answered(t, "server { listen 80; rewrite ^/moved/(.*)$ /here/$1; }", path, next, nil)
	}
	if decision := DecisionOf(httptest.NewRequest("GET", "/", nil)); decision != nil {
		t.Error(decision)
	}
}

func TestClientsWithoutAnAddress(t *testing.T) {
	next := func(w http.ResponseWriter, r *http.Request) {}
	text := "server { listen 80; allow 127.0.0.1; allow ::1; deny all; }"
	for address, status := range map[string]int{"127.0.0.1:5": 200, "[::1]:5": 200, "192.0.2.1:5": 403, "": 403, "@": 403, ":5": 403} {
		recorder := answered(t, text, "/a", next, func(r *http.Request) { r.RemoteAddr = address })
		if recorder.Code != status {
			t.Errorf("%q: %d", address, recorder.Code)
		}
	}
}

func TestHandlersThatWriteNothing(t *testing.T) {
	next := func(w http.ResponseWriter, r *http.Request) {}
	if recorder := answered(t, ruleText, "/sorry", next, nil); recorder.Code != 503 {
		t.Error(recorder.Code)
	}
	if recorder := answered(t, ruleText, "/shoes", next, nil); recorder.Code != 200 || recorder.Header().Get("X-Rules") != "yes" {
		t.Error(recorder.Code, recorder.Header())
	}
}

func TestWritersThatFlushAndHijack(t *testing.T) {
	flushing := func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush() }
	recorder := answered(t, ruleText, "/shoes", flushing, nil)
	if !recorder.Flushed || recorder.Code != 200 || recorder.Header().Get("X-Rules") != "yes" {
		t.Error(recorder.Flushed, recorder.Code, recorder.Header())
	}
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		_, _ = io.WriteString(connection, "HTTP/1.1 299 Own\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	})
	server := httptest.NewServer(&Handler{Rules: parsed(t), Next: next})
	defer server.Close()
	request, _ := http.NewRequest("GET", server.URL+"/shoes", nil)
	request.Host = "www.a.test"
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != 299 {
		t.Error(answer, err)
	}
}

func TestHeadersThatFrameAnAnswer(t *testing.T) {
	text := `server { listen 80; add_header Content-Length 2 always; add_header Connection x always; add_header Location /other always;
location /long { return 200 "not two"; } location /go { return 302 /new; } }`
	next := func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "long") }
	for path, length := range map[string]string{"/long": "7", "/app": ""} {
		header := answered(t, text, path, next, nil).Header()
		if header.Get("Content-Length") != length || header.Get("Connection") != "" {
			t.Error(path, header)
		}
	}
	if found := answered(t, text, "/go", next, nil).Header().Values("Location"); !reflect.DeepEqual(found, []string{"http://www.a.test/new"}) {
		t.Error(found)
	}
}

func TestPathsWithNULBytes(t *testing.T) {
	_, loading := Load("a\x00b", nil)
	_, parsing := Parse("", "a\x00b", nil)
	_, opening := OpenStore("/", &Options{LastKnownGood: "a\x00b"})
	_, trusting := Load("/", &Options{Trusted: []string{"a\x00b"}})
	for _, err := range []error{loading, parsing, opening, trusting} {
		if err == nil || !strings.Contains(err.Error(), "NUL") {
			t.Error(err)
		}
	}
}

func TestClosedStores(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.conf")
	if err := os.WriteFile(file, []byte("block host a.test 410;"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range [20]int{} {
		heard := make(chan bool, 1)
		var store *Store
		store, err := OpenStore(file, &Options{OnReload: func(bool, string) {
			store.Close()
			heard <- true
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("block host a.test 451;"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Reload(); err != nil {
			t.Fatal(err)
		}
		<-heard
		store.Close()
		if decision := decided(t, store, &Request{URL: "http://a.test/"}); decision.Status != 451 || store.Generation() != 2 {
			t.Error(decision.Status, store.Generation())
		}
		if err := os.WriteFile(file, []byte("block host a.test 410;"), 0o600); err != nil {
			t.Fatal(err)
		}
		store = nil
		runtime.GC()
	}
}

func TestGoroutinesUnderReloads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.conf")
	write := func(status string) {
		text := "server { listen 80; location / { return " + status + "; } }"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("403")
	store, err := OpenStore(file, &Options{OnReload: func(bool, string) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var group sync.WaitGroup
	for range [8]int{} {
		group.Add(1)
		go func() {
			defer group.Done()
			for range [2000]int{} {
				decision, err := store.Decide(&Request{Target: "/", Host: "a.test"})
				if err != nil || decision.Status != 403 && decision.Status != 410 {
					t.Error(decision, err)
					return
				}
			}
		}()
	}
	for index := range [20]int{} {
		write([]string{"410", "403"}[index%2])
		if _, err := store.Reload(); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
	if store.Generation() < 2 || store.Rules().Count() != 1 {
		t.Error(store.Generation())
	}
	if err := os.WriteFile(file, []byte("nonsense;"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Reload(); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Error(err)
	}
	if decision := decided(t, store, &Request{Target: "/", Host: "a.test"}); decision.Status != 403 {
		t.Error(decision.Status)
	}
}

func BenchmarkDecide(b *testing.B) {
	rules, err := Parse(ruleText, "a.conf", nil)
	if err != nil {
		b.Fatal(err)
	}
	request := &Request{Target: "/old", Host: "www.a.test"}
	for index := 0; index < b.N; index++ {
		if _, err := rules.Decide(request); err != nil {
			b.Fatal(err)
		}
	}
}
