/// The texts that are damaged.
enum RandomInputs {
    static let rules = [
        """
        input $version "0";
        rename_host *.old.test *.new.test;
        rename_host ~^m-(?<shop>\\w+)\\.test$ $shop.shop.test;
        block host ads.test .track.test [::1] www.*;
        block ~ /wp-admin 410;
        """,
        """
        rewrite_url ^kl://item/(\\d+)$ https://item.test/i$1.htm;
        degrade ~ ^kl://Pay/(?<page>\\w+) https://m.test/pay/$page?h=$host;
        match host .deep.test { if ($version < 2.0 && !($scheme = kl)) { set $uri /u$uri; } else { break; } }
        route /item/:id(int) item;
        """,
        """
        map $uri $page { hostnames; default ""; /a 1; ~^/m/(?<rest>.*)$ /n/$rest; *.x.test 2; }
        geo $arg_ip $zone { default out; 10.0.0.0/8 in; ::1 six; }
        split_clients $args $half { 50.5% a; * b; }
        upstream up { server 127.0.0.1:9 weight=2; }
        """,
        """
        server {
            listen 80 default_server; listen [::]:443 ssl;
            server_name a.test .b.test ~^(?<sub>\\w+)\\.c\\.test$;
            if ($http_x_a ~ (a+)b) { set $v $1; }
            rewrite ^/r/(.*)$ /s/$1?from=$1 last;
            error_page 404 = @missing;
            location / { add_header X-Uri $uri always; return 200 "$page $zone $half $v $sub $cookie_a"; }
            location ~ "\\.(gif|png)$" { valid_referers none a.test; if ($invalid_referer) { return 403; } }
            location /p/ { proxy_pass http://up/base/; limit_except GET { deny all; } }
            location /f/ { try_files $uri /r/f =404; }
            location @missing { return 404 $request_uri; }
        }
        """,
    ]

    static let urls = [
        "https://user:pw@www.A.test:8443/a/../b?x=1&y=%41#z", "kl://Pay/checkout?id=1", "http://x.old.test/",
        "mailto:a@b.test",
        "https://[0:0::1]/x", "http://b.test/r/a%2fb+c?q", "kl://item/42", "//no.scheme/",
        "https://m-shop.test/f/x.gif",
    ]
    static let targets = [
        "/r/a%2fb?x=1", "http://c.test/m/x", "/f/./..//%2e%2e/a", "/p/x?ip=10.1.2.3", "/a.gif", "*", "/\u{e4}?\u{e4}",
        "aab",
    ]
    static let hosts = ["a.test", "x.b.test:80", "me.c.test", "[::1]", "A..test", "www.ads.test."]
    static let lists = [
        "0.0.0.0 ads.test # note\n127.0.0.1 localhost\n*.b.test\n",
        "[Adblock Plus 2.0]\n! x\n||ads.test^$third-party\n@@||ok.test^\n",
        "ads.test\n.track.test\r\nxn--80ak6aa92e.com\n",
    ]
}
