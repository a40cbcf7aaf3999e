// A web service whose rules are loaded again when their files change: service RULES PORT.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"

	"shunt"
)

func reloaded(loaded bool, message string) {
	if !loaded {
		message = "rules refused, the old ones stay: " + message
	}
	log.Println(message)
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: service RULES PORT")
		os.Exit(2)
	}
	store, err := shunt.OpenStore(os.Args[1], &shunt.Options{OnReload: reloaded})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	app := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "served %s\n", r.URL.Path)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[2], &shunt.Handler{Rules: store, Next: app}))
}
