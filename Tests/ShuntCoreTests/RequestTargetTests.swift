import SeededRandom
import ShuntCore
import Testing

@Suite("Request targets, as nginx reads them")
struct RequestTargetTests {
    private let arena = ByteArena(capacity: 16, limit: 1 << 20)

    /// Parses `text`, with the arena holding something else before it, as it would in a request.
    private func parse(_ text: [UInt8], mergeSlashes: Bool = true) throws(RequestTargetError) -> RequestTarget {
        arena.removeAll()
        arena.append(Array("GET ".utf8))
        let mark = arena.mark
        arena.append(text)
        return try RequestTarget.parse(arena.range(from: mark), in: arena, mergeSlashes: mergeSlashes)
    }

    private func text(_ range: ByteRange) -> String { latin1Text(arena.array(range)) }

    private func originAnswer(_ target: String, mergeSlashes: Bool) -> String {
        do {
            let result = try parse(latin1(target), mergeSlashes: mergeSlashes)
            #expect(text(result.requestURI) == target)
            #expect(result.absoluteHost == nil && result.absoluteScheme == nil && result.absolutePort == nil)
            return "\(text(result.path)) ? \(text(result.arguments))\(result.needsEscape ? " !" : "")"
        } catch {
            return "400"
        }
    }

    private func absoluteAnswer(_ target: String, mergeSlashes: Bool) -> String {
        do {
            let result = try parse(latin1(target), mergeSlashes: mergeSlashes)
            let host = result.absoluteHost.map(text) ?? "none"
            return "\(host) | \(text(result.requestURI)) | \(text(result.path)) ? \(text(result.arguments))"
        } catch {
            return "400"
        }
    }

    @Test("Targets that start with a slash")
    func originForm() {
        for (target, merged, unmerged) in RequestTargetTable.originForm {
            #expect(originAnswer(target, mergeSlashes: true) == merged, "\(target)")
            #expect(originAnswer(target, mergeSlashes: false) == unmerged ?? merged, "\(target), not merged")
        }
    }

    /// Expects of a target that its parts are those that `parse` finds, where it is plain; returns whether it is.
    private func isPlain(_ target: [UInt8], before rest: [UInt8]) -> Bool {
        arena.removeAll()
        let mark = arena.mark
        arena.append(target)
        let range = arena.range(from: mark)
        arena.append(rest)
        guard let plain = PlainTarget.read(range, in: arena) else { return false }
        do {
            let parsed = try RequestTarget.parse(range, in: arena, mergeSlashes: true)
            #expect(parsed.path == plain.path && parsed.sentPath == plain.path && parsed.requestURI == range)
            #expect(parsed.arguments == plain.arguments && !parsed.needsEscape && parsed.absoluteHost == nil)
        } catch {
            Issue.record("\(latin1Text(target)) is refused: \(error)")
        }
        return true
    }

    @Test("A plain target has the parts of parsing it, whatever follows")
    func plain() {
        var plainCount = 0
        arena.makeRoom(256)
        for count in [1, 2, 7, 15, 16, 17, 18, 31, 32, 33, 40] {
            for position in 0..<count {
                for byte in UInt8.min...UInt8.max {
                    var target = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                    target[0] = UInt8(ascii: "/")
                    target[count / 2] = UInt8(ascii: count > 7 && count % 2 == 1 ? "?" : "/")
                    target[position] = byte
                    for rest in ["", "./x", "POST"] where isPlain(target, before: Array(rest.utf8)) { plainCount += 1 }
                }
            }
        }
        #expect(plainCount > 50_000)
        for (target, _, _) in RequestTargetTable.originForm { _ = isPlain(latin1(target), before: []) }
        for target in ["/", "/a", "/a?", "/a?b", "/news/section-7/spring-sale/abcdefgh?page=2&q=a%20b"] {
            #expect(isPlain(latin1(target), before: []), "\(target)")
        }
        for target in ["", "*", "a", "/a%20", "/a+b", "/a#b", "/a?b#c", "/a//b", "/./a", "/a/..", "/a b", "/a?b c"] {
            #expect(!isPlain(latin1(target), before: []), "\(target)")
        }
    }

    @Test("Bytes before a path change nothing about it, at any alignment")
    func padded() {
        for (target, merged, unmerged) in RequestTargetTable.originForm where target.hasPrefix("/") {
            for (mergeSlashes, expected) in [(true, merged), (false, unmerged ?? merged)] where expected != "400" {
                for count in 1...17 {
                    let padding = "/" + String(repeating: "x", count: count)
                    #expect(originAnswer(padding + target, mergeSlashes: mergeSlashes) == padding + expected)
                }
            }
        }
        for (target, _, _) in RequestTargetTable.originForm where target.hasPrefix("/") && target.utf8.count > 1 {
            let climbs = target.contains("..") || target.contains("%2e")
            guard !climbs, originAnswer(target, mergeSlashes: true) == "400" else { continue }
            for count in 1...17 {
                let padding = String(repeating: "y", count: count)
                #expect(originAnswer("/" + padding + target, mergeSlashes: true) == "400")
                #expect(originAnswer("/a?" + padding + "\u{7f}" + padding, mergeSlashes: true) == "400")
                #expect(originAnswer("/a?\(padding)#\(padding)", mergeSlashes: true) == "/a ? \(padding)")
            }
        }
    }

    @Test("Targets with a scheme and a host")
    func absoluteForm() {
        for (target, merged, unmerged) in RequestTargetTable.absoluteForm {
            #expect(absoluteAnswer(target, mergeSlashes: true) == merged, "\(target)")
            #expect(absoluteAnswer(target, mergeSlashes: false) == unmerged ?? merged, "\(target), not merged")
        }
    }

    @Test(
        "Reasons",
        arguments: [
            ("", RequestTargetError.empty),
            ("*", .invalidForm(offset: 0)),
            ("a/b", .invalidForm(offset: 0)),
            (" /a", .space(offset: 0)),
            ("/a b", .space(offset: 2)),
            ("/a?b c", .space(offset: 4)),
            ("/a#b c", .space(offset: 4)),
            ("/a\tb", .controlByte(offset: 2)),
            ("/a?\u{7f}", .controlByte(offset: 3)),
            ("http://h\n/", .controlByte(offset: 8)),
            ("http://h h/", .space(offset: 8)),
            ("http://h_/", .invalidHost(offset: 8)),
            ("http://[x", .invalidHost(offset: 9)),
            ("http://h:8x/", .invalidHost(offset: 10)),
            ("http:///", .refusedHost(.empty)),
            ("http://a..b/", .refusedHost(.adjacentDots(offset: 2))),
            ("/a%2", .invalidEscape(offset: 2)),
            ("/%41%zz", .invalidEscape(offset: 4)),
            ("http://h/%zz", .invalidEscape(offset: 9)),
            ("/ab%00", .nulEscape(offset: 3)),
            ("/a/../..", .aboveRoot),
        ]
    )
    func reasons(target: String, error: RequestTargetError) {
        #expect(throws: error) { try parse(latin1(target)) }
        #expect(!error.description.isEmpty)
    }

    @Test("A path that needs no change is part of the source", arguments: ["/a/b", "/.well-known/..x", "/a..", "/a+b"])
    func noCopy(target: String) throws {
        let result = try parse(latin1(target + "?q#f"))
        #expect(result.path == ByteRange(4, 4 + target.utf8.count))
        #expect(result.requestURI == ByteRange(4, 8 + target.utf8.count))
        #expect(arena.count == 8 + target.utf8.count)
    }

    @Test("Ports and schemes of absolute targets are kept apart")
    func absoluteParts() throws {
        let result = try parse(latin1("HTTP://H:81/"))
        #expect(result.absoluteScheme.map(text) == "HTTP")
        #expect(result.absolutePort.map(text) == "81")
        #expect(result.absoluteHost.map(text) == "h")
    }

    @Test("The flags of the path")
    func flags() throws {
        let cases: [(String, Bool, Bool)] = [
            ("/a", false, false), ("/a+", false, true), ("/%41", true, false), ("/%2b", true, true),
            ("/?+%41", false, false),
        ]
        for (target, isQuoted, hasPlus) in cases {
            let result = try parse(latin1(target))
            #expect(result.isQuoted == isQuoted && result.hasPlus == hasPlus, "\(target)")
        }
    }

    @Test("The limit on the length, and an arena without room")
    func limits() throws {
        let longest = [UInt8](repeating: 0x2f, count: RequestTarget.maximumLength)
        #expect(try parse(longest).path.count == 1)
        #expect(throws: RequestTargetError.tooLong(limit: 65_536)) { try parse(longest + [0x2f]) }
        var refused = 0
        for limit in 26..<50 {
            let small = ByteArena(capacity: 16, limit: limit)
            small.append(latin1("/abcdefgh%2e/../x/%2e%2e/x"))
            let source = small.range(from: 0)
            do {
                let result = try RequestTarget.parse(source, in: small, mergeSlashes: true)
                #expect(latin1Text(small.array(result.path)) == "/x")
            } catch {
                #expect(error == .noRoom)
                refused += 1
            }
        }
        #expect(refused == 13)
        let host = ByteArena(capacity: 16, limit: 10)
        host.append(latin1("x://HOST/a"))
        #expect(throws: RequestTargetError.refusedHost(.noRoom)) {
            try RequestTarget.parse(host.range(from: 0), in: host, mergeSlashes: true)
        }
    }

    @Test("A normal path begins with a slash, has no dot segments, and normalising it again changes nothing")
    func normalForm() {
        var generator = SeededGenerator(seed: 7)
        let pieces = ["/", "/", ".", "..", "%2f", "%2e", "a", "%41", "//", "?", "#", "+", "%3f", "\u{e9}"]
        var accepted = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...9, using: &generator)
            let target =
                "/" + (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
            guard let first = try? parse(latin1(target)) else { continue }
            accepted += 1
            let path = text(first.path)
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            #expect(path.hasPrefix("/"), "\(target)")
            #expect(!segments.contains(".") && !segments.contains(".."), "\(target)")
            #expect(!segments.dropFirst().dropLast().contains(""), "\(target)")
            if path.contains(where: { "%?#".contains($0) }) { continue }
            guard let second = try? parse(latin1(path)) else {
                Issue.record("\(path) is refused")
                continue
            }
            #expect(text(second.path) == path)
            #expect(second.path == second.requestURI)
        }
        #expect(accepted > 10_000)
    }

    @Test("Methods")
    func methods() {
        for (method, isValid) in [
            ("GET", true), ("A", true), ("M-SEARCH", true), ("_", true), ("", false), ("get", false), ("GE T", false),
            ("GET1", false), ("\u{e9}", false),
        ] {
            let bytes = latin1(method)
            #expect(RequestMethod.isValid(bytes.span) == isValid, "\(method)")
        }
    }
}
