import FuzzSupport
import Shunt

/// Requests: the lines are the target, the Host, and headers; a line that is missing is not sent.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequests(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let lines = UnsafeBufferPointer(start: start, count: count)
        .split(separator: 0x0a, maxSplits: 8, omittingEmptySubsequences: false).map { Array($0) }
    var request = RuleRequest(target: lines[0], host: lines.count > 1 ? lines[1] : nil)
    for line in lines.dropFirst(2) {
        let parts = line.split(separator: 0x3a, maxSplits: 1).map { Array($0) }
        request.headers.append(RuleRequest.Header(name: parts.first ?? [], value: parts.count > 1 ? parts[1] : []))
    }
    engines.check(request)
    return 0
}

private let engines = EnginePair(
    rules: """
        map $uri $page { /a 1; ~^/m/(?<rest>.*)$ /n/$rest; hostnames; default ""; }
        geo $arg_ip $zone { 10.0.0.0/8 in; default out; }
        split_clients $args $half { 50% a; * b; }
        server {
            server_name a.test .b.test ~^(?<sub>\\w+)\\.c\\.test$;
            set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;
            if ($http_x ~ (a+)b) { set $v $1; }
            rewrite ^/r/(.*)$ /s/$1?from=$1 last;
            rewrite ^/e/(.*)$ https://e.test/$1 redirect;
            error_page 404 = @missing;
            location / { add_header X-Uri $uri always; return 200 "$page $zone $half $v $sub $cookie_a"; }
            location /s/ { rewrite ^/s/(.)(.*)$ /s/$2$1 break; return 301 $uri$is_args$args; }
            location ~ "\\.(gif|png)$" { valid_referers none a.test; if ($invalid_referer) { return 403; } }
            location = /secret { internal; }
            location /p/ { proxy_pass http://up.test/base/; }
            location /f/ { try_files $uri /r/f =404; }
            location @missing { return 404 $request_uri; }
        }
        """
)

#if UNGUIDED
import UnguidedRuns

@main
enum Program {
    static func main() { runUnguided(fuzzRequests) }
}
#endif
