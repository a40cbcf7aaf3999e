// Decides about the URLs of a file in turn; prints the nanoseconds of a decision, and the number of decisions by a rule.
//
//	decide RULES URLS DECISIONS
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"syscall"

	"shunt"
)

// now is the processor time of all threads, in nanoseconds: collecting what decisions leave is a part of their cost.
func now() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func decide(rules *shunt.Rules, requests []*shunt.Request, count int) int {
	matches := 0
	for index := 0; index < count; index++ {
		decision, err := rules.Decide(requests[index%len(requests)])
		if err != nil {
			log.Fatal(err)
		}
		if decision.Line != 0 {
			matches++
		}
	}
	return matches
}

func main() {
	rules, err := shunt.Load(os.Args[1], nil)
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	count, err := strconv.Atoi(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	var requests []*shunt.Request
	for _, url := range strings.Fields(string(text)) {
		requests = append(requests, &shunt.Request{URL: url})
	}
	decide(rules, requests, len(requests))
	start := now()
	matches := decide(rules, requests, count)
	fmt.Printf("%.1f %d\n", float64(now()-start)/float64(count), matches)
}
