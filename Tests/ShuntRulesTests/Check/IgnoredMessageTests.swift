import Testing

/// What people see of directives that have no effect here, or none that could be had.
@Suite struct IgnoredMessageTests {
    @Test func ignored() {
        expectStructureMessages(
            #"""
            user www-data;
            worker_processes auto;
            events { worker_connections 768; }
            http {
                gzip on;
                sendfile on;
                auth_basic "closed";
                server { gzip off; location / { gzip on; client_max_body_size 1m; } }
                perl_set $x 1;
                geoip_country /x;
            }
            stream { server { whatever; } }

            """#,
            #"""
            rules.conf:1:1: warning: "user" (line 1), "worker_processes" (line 2), "events" (line 3), "gzip" (line 5, 3 times), \#
            "sendfile" (line 6), "stream" (line 12) are ignored: they do not change where a request goes
               1 | user www-data;
                 | ^~~~
            rules.conf:7:5: warning: "auth_basic" is ignored: Shunt checks no passwords
               7 |     auth_basic "closed";
                 |     ^~~~~~~~~~
            rules.conf:8:46: warning: "client_max_body_size" is ignored: Shunt reads no request bodies, so it refuses nothing here
               8 |     server { gzip off; location / { gzip on; client_max_body_size 1m; } }
                 |                                              ^~~~~~~~~~~~~~~~~~~~
            rules.conf:9:5: error: "perl_set" cannot be used in Shunt
               9 |     perl_set $x 1;
                 |     ^~~~~~~~ code in rule files is not run; use a map, or an input that the caller supplies
            rules.conf:10:5: error: "geoip_country" cannot be used in Shunt
              10 |     geoip_country /x;
                 |     ^~~~~~~~~~~~~ use geo with a list of networks, or an input that the caller supplies

            """#
        )
    }

    @Test func lua() {
        expectStructureMessages(
            #"""
            server { location / { content_by_lua_block { ngx.say(1) } } }

            """#,
            #"""
            rules.conf:1:23: error: unknown directive "content_by_lua_block"
               1 | server { location / { content_by_lua_block { ngx.say(1) } } }
                 |                       ^~~~~~~~~~~~~~~~~~~~ code in rule files is not run; use a map, or an input that the caller supplies
            rules.conf:1:56: error: "}" before the ";" that ends the directive "ngx.say(1)"
               1 | server { location / { content_by_lua_block { ngx.say(1) } } }
                 |                                                        ^ put ";" after "ngx.say(1)"

            """#
        )
    }
}
