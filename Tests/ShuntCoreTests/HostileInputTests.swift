import SeededRandom
import ShuntCore
import Testing

/// Random bytes into everything that reads bytes from outside.
///
/// A trap ends the test run; the expectations state that results are within the input.
@Suite("Hostile input")
struct HostileInputTests {
    private static let pieces: [String] = [
        "http", ":", "/", "//", "?", "#", "@", "[", "]", "%", "%2", "%41", "%00", "..", ".", "a", "Z", "0", "9",
        "65536", "-", "+",
        "=", "&", ";", " ", "\t", "\n", "\u{0}", "\u{7f}", "\u{80}", "\u{ff}", "\u{c3}\u{a9}", "::1", "1.2.3.4",
        "2026-01-01T00:00:00Z",
        "ffff", "/33", "v1", "_", "*", "~", "\\", "\"", "99999999999999999999",
    ]

    private func randomBytes(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...10, using: &generator) {
            let index = Int.random(in: 0...HostileInputTests.pieces.count, using: &generator)
            if index == HostileInputTests.pieces.count {
                bytes.append(UInt8.random(in: 0...255, using: &generator))
            } else {
                bytes += latin1(HostileInputTests.pieces[index])
            }
        }
        return bytes
    }

    private func isInside(_ range: ByteRange?, _ bounds: ByteRange) -> Bool {
        guard let range else { return true }
        return range.start >= bounds.start && range.end <= bounds.end && range.start <= range.end
    }

    @Test("URLs, targets, hosts, queries and escapes")
    func ranges() {
        var generator = SeededGenerator(seed: 11)
        let arena = ByteArena(capacity: 8, limit: 4_096)
        let name = latin1("a")
        for _ in 0..<8_000 {
            let bytes = randomBytes(&generator)
            arena.removeAll()
            arena.append(latin1("pad"))
            arena.append(bytes)
            let source = arena.range(from: 3)
            if let parts = try? URLParser.split(source, in: arena).parts {
                let all = [
                    parts.scheme, parts.userinfo, parts.host, parts.port, parts.path, parts.query, parts.fragment,
                ]
                #expect(all.allSatisfy { isInside($0, source) })
                if let host = parts.host { _ = try? HostName.normaliseURLHost(host, in: arena) }
            }
            for mergeSlashes in [true, false] {
                if let target = try? RequestTarget.parse(source, in: arena, mergeSlashes: mergeSlashes) {
                    #expect(isInside(target.requestURI, source) && isInside(target.arguments, source))
                    #expect(isInside(target.path, ByteRange(3, arena.count)))
                }
            }
            _ = try? HostName.normalise(source, in: arena)
            #expect(isInside(HostName.split(source, in: arena).port, source))
            #expect(isInside(Query.argument(name.span, in: source, of: arena), source))
            #expect(isInside(Query.cookie(name.span, in: source, of: arena), source))
            var iterator = QueryIterator(source)
            while let pair = iterator.next(in: arena) {
                #expect(isInside(pair.name, source) && isInside(pair.value, source))
            }
            let header = PercentCoding.escapingControls(PercentCoding.unescapingRedirect(source, in: arena), in: arena)
            #expect(!arena.array(header).contains { $0.isASCIIControl })
        }
    }

    @Test("Addresses, times, versions, hashes, JSON and diagnostics")
    func values() {
        var generator = SeededGenerator(seed: 12)
        let renderer = DiagnosticRenderer(maximumColumns: 24)
        for _ in 0..<5_000 {
            let bytes = randomBytes(&generator)
            if let address = InternetAddress(parsing: bytes.span) { #expect(InternetAddress("\(address)") == address) }
            if let network = AddressNetwork.parse(bytes.span)?.network {
                #expect(network.contains(network.base.unmapped) || network.base != network.base.unmapped)
            }
            _ = AddressRange(parsing: bytes.span)
            if let moment = try? Timestamp(parsing: bytes.span) { #expect(moment.iso8601().utf8.count == 25) }
            if VersionComparison.isVersion(bytes.span) {
                let order = VersionComparison.compare(bytes.span, bytes.span)
                #expect(order == .equal)
            }
            if let decoded = Base64URL.decode(bytes.span) { #expect(decoded.count <= bytes.count) }
            _ = MurmurHash2.hash(bytes.span)
            if let decoded = URLComponentCoding.decode(bytes.span) { #expect(decoded.count <= bytes.count) }

            var writer = JSONWriter()
            writer.string(bytes.span)
            #expect(writer.bytes.allSatisfy { !$0.isASCIIControl } && writer.bytes.span.isUTF8)

            let text = latin1Text(bytes)
            let location = SourceLocation(
                file: text,
                line: Int.random(in: -1...3, using: &generator),
                column: Int.random(in: -2...40, using: &generator)
            )
            let diagnostic = Diagnostic(
                .error,
                code: "c",
                message: text,
                at: location,
                length: Int.random(in: -1...40, using: &generator),
                sourceLine: text + text,
                suggestion: text
            )
            let output = renderer.render(diagnostic)
            #expect(output.utf8.allSatisfy { $0 == 0x0a || !$0.isASCIIControl })
            #expect(output.split(separator: "\n", omittingEmptySubsequences: false).count <= 4)
        }
    }
}
