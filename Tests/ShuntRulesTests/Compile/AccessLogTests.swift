import ShuntCore
import Testing

@testable import ShuntRules

@Suite("Access logs")
struct AccessLogTests {
    /// Messages about directives.
    static let messages: [(rules: String, message: String)] = [
        (
            "access_log off x;",
            """
            rules.conf:1:16: error: invalid parameter "x" [invalid-value]
               1 | access_log off x;
                 |                ^ write buffer=SIZE, flush=TIME, gzip or if=CONDITION after the format
            """
        ),
        (
            "access_log /l combined buffer=x;",
            """
            rules.conf:1:24: error: invalid parameter "buffer=x" [invalid-value]
               1 | access_log /l combined buffer=x;
                 |                        ^~~~~~~~ write buffer=SIZE, flush=TIME, gzip or if=CONDITION after the format
            """
        ),
        (
            "access_log /l combined flush=1s;",
            """
            rules.conf:1:24: error: "flush" needs a "buffer" [invalid-value]
               1 | access_log /l combined flush=1s;
                 |                        ^~~~~~~~ write buffer=32k before it
            """
        ),
        (
            "access_log /l combined if=$lod; map $uri $loud { }",
            """
            rules.conf:1:27: error: unknown variable "$lod" [unknown-variable]
               1 | access_log /l combined if=$lod; map $uri $loud { }
                 |                           ^~~~ did you mean "$loud"?
            """
        ),
        (
            "log_format a $uri; log_format a $uri; log_format combined $uri;",
            """
            rules.conf:1:31: error: there is a log format "a" already [duplicate-log-format]
               1 | log_format a $uri; log_format a $uri; log_format combined $uri;
                 |                               ^ choose another name
            rules.conf:1:50: error: there is a log format "combined" already [duplicate-log-format]
               1 | log_format a $uri; log_format a $uri; log_format combined $uri;
                 |                                                  ^~~~~~~~ choose another name
            """
        ),
        (
            "log_format a escape=jsn $uri;",
            """
            rules.conf:1:14: error: unknown escaping "escape=jsn" [invalid-value]
               1 | log_format a escape=jsn $uri;
                 |              ^~~~~~~~~~ write escape=default, escape=json or escape=none
            """
        ),
        (
            "log_format main '$uri'; access_log /l mian;",
            """
            rules.conf:1:39: warning: unknown log format "mian": this log is not written [unknown-log-format]
               1 | log_format main '$uri'; access_log /l mian;
                 |                                       ^~~~ did you mean "main"?
            """
        ),
        (
            "access_log syslog:server=a; access_log /l/$host; access_log /l combined gzip=2;",
            """
            rules.conf:1:12: warning: nothing is written to "syslog:server=a": requests are written to files only [unwritten-log]
               1 | access_log syslog:server=a; access_log /l/$host; access_log /l combined gzip=2;
                 |            ^~~~~~~~~~~~~~~
            rules.conf:1:40: warning: nothing is written to "/l/$host": the name of a file has no variables [unwritten-log]
               1 | access_log syslog:server=a; access_log /l/$host; access_log /l combined gzip=2;
                 |                                        ^~~~~~~~
            rules.conf:1:73: warning: the log is written uncompressed [uncompressed-log]
               1 | access_log syslog:server=a; access_log /l/$host; access_log /l combined gzip=2;
                 |                                                                         ^~~~~~ compress it when it is rotated
            """
        ),
        (
            "log_format a '$uri $ssl_protocol $statsu $upstream_status $own'; access_log /l a; server { set $own 1; }",
            """
            rules.conf:1:20: warning: $ssl_protocol has no value in an access log [unlogged-variable]
               1 | log_format a '$uri $ssl_protocol $statsu $upstream_status $own'; access_log /l a; server { set $own 1; }
                 |                    ^~~~~~~~~~~~~
            rules.conf:1:34: warning: $statsu has no value in an access log [unlogged-variable]
               1 | log_format a '$uri $ssl_protocol $statsu $upstream_status $own'; access_log /l a; server { set $own 1; }
                 |                                  ^~~~~~~ did you mean "$status"?
            """
        ),
        // A format that no log has is not reported.
        ("log_format a $nonsense; access_log /l;", ""),
    ]

    @Test("Mistakes are reported", arguments: messages)
    func mistakes(rules: String, message: String) {
        let found: [Diagnostic]
        do throws(RuleSetError) {
            found = try RuleSet(text: rules).diagnostics
        } catch {
            found = error.diagnostics
        }
        #expect(DiagnosticRenderer().render(found) == (message.isEmpty ? "" : message + "\n"))
    }

    @Test("A level that states a log has none of those around it")
    func inheritance() throws {
        let ruleSet = try RuleSet(
            text: """
                access_log /top;
                server {
                    location / { return 200; }
                    location /own { access_log /a; access_log /b combined; return 200; }
                    location /off { access_log /c; access_log off; return 200; }
                    location /if { if ($arg_x) { access_log /d; return 200; } return 200; }
                }
                """
        )
        for (target, paths) in [
            ("/", ["/top"]), ("/own", ["/a", "/b"]), ("/off", []), ("/if", ["/top"]), ("/if?x=1", ["/d"]),
        ] {
            var evaluation = Evaluation(ruleSet.program)
            evaluation.evaluate(RuleRequest(target: target, host: "a.test"))
            let found = evaluation.accessLogs
            let list = AccessLogList(try #require(found))
            let logs = list.number.map { ruleSet.accessLogLists[$0] } ?? []
            #expect(logs.map(\.path) == paths, "\(target)")
        }
    }
}
