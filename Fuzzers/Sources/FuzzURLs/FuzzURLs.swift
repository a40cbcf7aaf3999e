import FuzzSupport
import Shunt

/// URLs: every decision about one is the same with and without the index, and no header of it has a control byte.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzURLs(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let request = RuleRequest(url: Array(UnsafeBufferPointer(start: start, count: count)))
    engines.check(request)
    return 0
}

private let engines = EnginePair(
    rules: """
        input $version "0";
        rename_host *.old.test *.new.test;
        rename_host ~^m-(?<shop>\\w+)\\.test$ $shop.shop.test;
        block host ads.test .track.test [::1] www.*;
        block ~ /wp-admin 410;
        rewrite_url ^kl://item/(\\d+)$ https://item.test/i$1.htm;
        rewrite_url ^http:(.*)$ https:$1;
        degrade ~ ^kl://Pay/(?<page>\\w+) https://m.test/pay/$page?h=$host;
        match host .deep.test { rewrite_url ^(https://[^/]*)/a/(.*)$ $1/b/$2 last; }
        if ($version < 2.0 && $scheme = kl) { set $uri /upgrade$uri; }
        server { server_name a.test *.b.test; rewrite ^/x/(.*)$ /y/$1?q=$1; location /y { return 302 $uri?$args; } }
        server { listen 443 ssl; location ~ ^/(\\w+)/(.*)$ { add_header X $2; return 200 "$1 $uri $arg_q"; } }
        """
)

#if UNGUIDED
import UnguidedRuns

@main
enum Program {
    static func main() { runUnguided(fuzzURLs) }
}
#endif
