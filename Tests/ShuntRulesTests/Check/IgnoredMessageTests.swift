import ShuntCore
import Testing

@testable import ShuntRules

/// Messages about directives that have no effect here, or none that could be had.
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
                mirror "/closed";
                server { gzip off; location / { gzip on; } }
                perl_set $x 1;
                geoip_country /x;
            }
            stream { server { whatever; } }

            """#,
            #"""
            rules.conf:9:5: error: "perl_set" cannot be used in Shunt [unsupported-directive]
               9 |     perl_set $x 1;
                 |     ^~~~~~~~ code in rule files is not run; use a map, or an input that the caller supplies
            rules.conf:10:5: error: "geoip_country" cannot be used in Shunt [unsupported-directive]
              10 |     geoip_country /x;
                 |     ^~~~~~~~~~~~~ use geo with a list of networks, or an input that the caller supplies
            rules.conf: note: 4 directives have no effect on answers and upstreams; shunt check --ignored lists them [ignored-directives]
            rules.conf:7:5: warning: the gateway does not do "mirror": no request is sent twice [not-served]
               7 |     mirror "/closed";
                 |     ^~~~~~ to serve without it, write ignore_directive mirror; at the top level, or use --accept mirror
            rules.conf:12:1: warning: the gateway does not do "stream": nothing listens at its ports [not-served]
              12 | stream { server { whatever; } }
                 | ^~~~~~ to serve without it, write ignore_directive stream; at the top level, or use --accept stream

            """#
        )
    }

    @Test func lua() {
        expectStructureMessages(
            #"""
            server { location / { content_by_lua_block { ngx.say("}") -- }
                local a = [==[ }]] ]==] } } }

            """#,
            #"""
            rules.conf:1:23: error: unknown directive "content_by_lua_block" [unknown-directive]
               1 | server { location / { content_by_lua_block { ngx.say("}") -- }
                 |                       ^~~~~~~~~~~~~~~~~~~~ code in rule files is not run; use a map, or an input that the caller supplies

            """#
        )
    }

    @Test("Directives of other modules that the rules name are passed over, blocks and all")
    func named() {
        expectStructureMessages(
            #"""
            http {
                ignore_directive echo access_by_lua_block geoip2;
                geoip2 /var/db { $country source=$remote_addr; }
                server { echo hello; echo { return 999; } access_by_lua_block { if a then b() end } }
            }
            ignore_directive return;

            """#,
            #"""
            rules.conf:6:18: error: "return" has a part in decisions, and cannot be ignored [ignored-decision]
               6 | ignore_directive return;
                 |                  ^~~~~~ ignore_directive is for directives that Shunt does not know, or that the gateway does not do
            rules.conf: note: "geoip2", "echo", "access_by_lua_block" have no effect on answers and upstreams [ignored-directives]

            """#
        )
    }

    @Test("Without a name everything unknown is passed over, and nothing that is known")
    func unknown() {
        var source = RuleFiles.load(text: "echo hello;\nserver { perl x; retrun 301 /x; }\n")
        _ = StructureCheck.run(&source, ignoringUnknown: true)
        let said = source.orderedDiagnostics.map { "\($0.location.line) \($0.severity.rawValue): \($0.message)" }
        #expect(
            said == [
                "2 error: \"perl\" is not allowed in \"server\"; it is allowed at the top level, in \"http\", in "
                    + "\"location\" or in \"limit_except\"",
                "1 warning: \"echo\" (line 1), \"retrun\" (line 2) are unknown and ignored",
            ]
        )
    }
}
