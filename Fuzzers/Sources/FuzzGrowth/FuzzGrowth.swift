import Shunt
import Synchronization

/// Values that outgrow their limits: what a short request is blocked for, no long one is let through with.
///
/// The first three bytes choose a way to grow, a way to block, and what is after the block; two are the length of
/// the request, and the others are what it repeats.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGrowth(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard input.count > 5 else { return 0 }
    let choice = Choice(growth: input[0], block: input[1], other: input[2])
    let length = Int(input[3]) << 8 | Int(input[4])
    let piece = input[5...].prefix(64).map { letters[Int($0) % letters.count] }
    var text: [UInt8] = []
    while text.count < length { text += piece }

    let engine = engine(for: choice)
    for long in [[], piece, text] {
        let value = Array("aaa".utf8) + long
        var request = RuleRequest(target: Array("/".utf8) + value, host: Array("a.test".utf8))
        request.headers = [
            RuleRequest.Header(name: Array("X-Long".utf8), value: value),
            RuleRequest.Header(name: Array("Cookie".utf8), value: Array("long=".utf8) + value),
        ]
        let decision = engine.decide(request)
        switch decision.kind {
        case .block, .fail: continue
        case .respond: precondition((decision.status ?? 200) >= 400, "a success: \(choice.rules)")
        default: preconditionFailure("let through: \(choice.rules)")
        }
    }
    return 0
}

/// Without `z`: some of the blocks let through what has three of them.
private let letters = Array("abcdefghijklmnopqrstuvwxy0123456789-_".utf8)

/// One of the rule sets.
private struct Choice: Hashable {
    var growth: Int
    var block: Int
    var other: Int

    init(growth: UInt8, block: UInt8, other: UInt8) {
        self.growth = Int(growth) % Self.growths.count
        self.block = Int(block) % Self.blocks.count
        self.other = Int(other) % Self.others.count
    }

    private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    /// The rules outside of the server, those in it, and the variable that grows.
    private static let growths: [(String, String, String)] = [
        ("map $arg_x $big { default \"\(times(80, "$uri"))\"; }", "", "$big"),
        ("map $arg_x $big { default \"\(times(80, "$request_uri"))\"; }", "", "$big"),
        ("map $arg_x $big { volatile; default \"\(times(80, "$uri"))\"; }", "", "$big"),
        ("map $arg_x $big { default \"\(times(80, "$http_x_long"))\"; }", "", "$big"),
        ("map $arg_x $big { default \"\(times(80, "$cookie_long"))\"; }", "", "$big"),
        ("map $uri $big { ~^(?<all>.*)$ \"\(times(80, "$all"))\"; }", "", "$big"),
        (
            "map $arg_x $some { default \"\(times(9, "$uri"))\"; } map $arg_x $big { default \"\(times(9, "$some"))\"; }",
            "", "$big"
        ),
        ("map $arg_x $l { default \"\(times(80, "$uri"))\"; } geo $l $big { default /aaa; 127.0.0.1 /aaa; }", "", "$big"),
        ("split_clients \"\(times(80, "$uri"))\" $big { * /aaa; }", "", "$big"),
        ("", "set $big \"\(times(80, "$uri"))\";", "$big"),
        ("", "if ($uri ~ ^(.*)$) { set $big \"\(times(80, "$1"))\"; }", "$big"),
        ("", times(4, "rewrite ^(.*)$ \"\(times(8, "$1"))\";\n"), "$uri"),
        ("", "set $args \"\(times(80, "$uri"))\";", "$args"),
    ]

    private static let blocks = [
        "if (BIG ~ aaa) { return 403; }", "if (BIG !~ zzz) { return 403; }", "if (BIG) { return 403; }",
        "if (BIG != zzz) { return 403; }", "if ($blocked) { return 403; }", "if (BIG ~ aaa) { return 403 \"no: BIG\"; }",
        "if (BIG ~ aaa) { rewrite ^ /blocked last; }", "set $seen \"BIG\"; if ($seen ~ aaa) { return 403; }",
        "add_header X-Seen \"BIG\" always; if (BIG ~ aaa) { return 403; }",
        "error_page 403 = /blocked; if (BIG ~ aaa) { return 403 BIG; }",
    ]

    private static let others = [
        "", "return 200 ok;", "return 301 https://b.test/;", "rewrite ^ /b break;", "rewrite ^ https://b.test/ permanent;",
        "location / { return 200 \"BIG\"; }", "location / { proxy_pass http://127.0.0.1:1; }",
        "location / { proxy_pass http://127.0.0.1:1$uri; }",
        "location / { try_files /no /b; } location = /b { return 200 b; }",
        "error_page 500 =200 /ok; location = /ok { return 200 ok; }",
    ]

    var rules: String {
        let (definitions, server, variable) = Self.growths[growth]
        let text = """
            \(definitions)
            map BIG $blocked { default 0; ~aaa 1; }
            server {
            server_name a.test;
            \(server)
            \(Self.blocks[block])
            \(Self.others[other])
            location /blocked { return 403; }
            }
            """
        return text.split(separator: "BIG", omittingEmptySubsequences: false).joined(separator: variable)
    }
}

/// The engines that were made so far.
private let engines = Mutex<[Choice: Engine]>([:])

private func engine(for choice: Choice) -> Engine {
    engines.withLock { engines in
        if let engine = engines[choice] { return engine }
        do throws(RuleSetError) {
            let engine = Engine(try RuleSet(text: choice.rules))
            // Each keeps the memory of the longest request that it has seen.
            if engines.count >= 100 { engines.removeAll() }
            engines[choice] = engine
            return engine
        } catch {
            preconditionFailure(error.description)
        }
    }
}

#if UNGUIDED
import UnguidedRuns

@main
enum Program {
    static func main() { runUnguided(fuzzGrowth) }
}
#endif
