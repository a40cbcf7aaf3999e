// Routers in Go, asked by compare-routes.
//
//	routers httprouter|chi ROUTES QUESTIONS
//
// ROUTES has lines METHOD PATTERN, QUESTIONS lines METHOD PATH INDEX with the index of the route that the path should lead
// to, or -1. Prints "ready WRONG", the number of wrong answers, or why the router does not take the routes. Then each line on
// standard input is a time in nanoseconds: it looks the paths up in turn for about that long, and prints
// NANOSECONDS LOOKUPS MATCHES. Time is the processor time of the whole process, so collecting garbage counts.
package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-chi/chi"
	"github.com/julienschmidt/httprouter"
)

type question struct {
	method, path string
	route        int
}

// A router: whether it finds a route, and which; the latter may be slow.
type router interface {
	find(method, path string) bool
	which(method, path string) int
}

type httpRouter struct {
	router *httprouter.Router
	hit    int
}

func (r *httpRouter) add(index int, method, pattern string) {
	r.router.Handle(method, pattern, func(http.ResponseWriter, *http.Request, httprouter.Params) { r.hit = index })
}

func (r *httpRouter) find(method, path string) bool {
	handle, _, _ := r.router.Lookup(method, path)
	return handle != nil
}

func (r *httpRouter) which(method, path string) int {
	handle, parameters, _ := r.router.Lookup(method, path)
	if handle == nil {
		return -1
	}
	handle(nil, nil, parameters)
	return r.hit
}

type chiRouter struct {
	mux      *chi.Mux
	context  *chi.Context
	patterns map[string]int
}

var parameter = regexp.MustCompile(`:(\w+)`)

func (r *chiRouter) add(index int, method, pattern string) {
	pattern = parameter.ReplaceAllString(pattern, "{$1}")
	r.patterns[method+pattern] = index
	r.mux.MethodFunc(method, pattern, func(http.ResponseWriter, *http.Request) {})
}

func (r *chiRouter) find(method, path string) bool {
	r.context.Reset()
	return r.mux.Match(r.context, method, path)
}

func (r *chiRouter) which(method, path string) int {
	if !r.find(method, path) {
		return -1
	}
	if index, known := r.patterns[method+r.context.RoutePattern()]; known {
		return index
	}
	return -2
}

func lines(name string) [][]string {
	text, err := os.ReadFile(name)
	if err != nil {
		fmt.Println("cannot read", name)
		os.Exit(1)
	}
	var result [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		result = append(result, strings.Fields(line))
	}
	return result
}

func processorTime() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}

func main() {
	runtime.GOMAXPROCS(1)
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Println("refused:", reason)
			os.Exit(1)
		}
	}()
	var add func(int, string, string)
	var table router
	if os.Args[1] == "chi" {
		chiTable := &chiRouter{chi.NewRouter(), chi.NewRouteContext(), map[string]int{}}
		table, add = chiTable, chiTable.add
	} else {
		httpTable := &httpRouter{router: httprouter.New()}
		table, add = httpTable, httpTable.add
	}
	for index, words := range lines(os.Args[2]) {
		add(index, words[0], words[1])
	}
	var questions []question
	wrong := 0
	for _, words := range lines(os.Args[3]) {
		route, _ := strconv.Atoi(words[2])
		questions = append(questions, question{words[0], words[1], route})
		if table.which(words[0], words[1]) != route {
			wrong++
		}
	}
	fmt.Println("ready", wrong)

	input := bufio.NewScanner(os.Stdin)
	next := 0
	for input.Scan() {
		wanted, _ := strconv.ParseFloat(input.Text(), 64)
		lookups, matches, batch := 0, 0, 16
		start := processorTime()
		used := 0.0
		for used < wanted {
			for turn := 0; turn < batch; turn++ {
				if table.find(questions[next].method, questions[next].path) {
					matches++
				}
				if next++; next == len(questions) {
					next = 0
				}
			}
			lookups += batch
			used = processorTime() - start
			if used < wanted/16 {
				batch *= 2
			}
		}
		fmt.Printf("%.3f %d %d\n", used/float64(lookups), lookups, matches)
	}
}
