import ShuntCore
import ShuntPatterns

/// A file of hosts: a hosts file, one domain a line, or the lines of an adblock list that name whole hosts.
///
/// * `0.0.0.0 ads.example` blocks the host itself, as a hosts file does.
/// * `ads.example` on a separate line blocks the host and everything below it, and so does `||ads.example^`.
/// * `*.ads.example` blocks what is below it.
///
/// Lines of an adblock list that match less than a whole host (`||ads.example/path`, `##selector`, `@@exception`,
/// options such as `$script` or `$domain=`) are passed over; `$third-party` is not such an option, for clients that
/// follow a URL to a listed host came from elsewhere.
struct HostList {
    let table: HostTable
    /// The number of names taken.
    private(set) var names = 0
    /// The lines of the names, where they are asked for: they are the values in the table then.
    private(set) var lines: [Int32] = []
    /// Lines that look like hosts and are not.
    private(set) var problems: [Diagnostic] = []

    /// So many lines are reported, and one more problem counts the others.
    private static let reportedProblems = 10

    /// Reads a list, and forgets its text before the table is made: both may be large.
    init(_ file: consuming RuleFile, keepingLines keepsLines: Bool = false) {
        var builder = HostTableBuilder()
        var line: Int32 = 0
        var start = TextCheck.start(of: file)
        var bytes = file.bytes
        // Only adblock lists begin with such a line.
        let isAdblock = bytes[start...].starts(with: "[Adblock".utf8) || bytes[start...].first == UInt8(ascii: "!")
        while start < bytes.count {
            line += 1
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let content = Self.trimmed(bytes[start..<end])
            for name in Self.names(of: content, isAdblock: isAdblock) {
                let isHost = name.allSatisfy { Self.isHostByte($0) || $0 == UInt8(ascii: "*") }
                switch isHost ? builder.add(name.span, value: keepsLines ? line : 0) : .malformed {
                case .added, .duplicate:
                    names += 1
                    if keepsLines { lines.append(line) }
                case .full, .malformed:
                    let column = Int32(content.startIndex - start) + 1
                    Self.report(content, isNetwork: Self.isNetwork(name), in: file, at: (line, column), to: &problems)
                }
            }
            start = end + 1
        }
        bytes = []
        file = RuleFile(name: "", bytes: [])
        table = builder.build()
    }

    private static func report(
        _ content: ArraySlice<UInt8>,
        isNetwork: Bool,
        in file: borrowing RuleFile,
        at place: (line: Int32, column: Int32),
        to problems: inout [Diagnostic]
    ) {
        guard problems.count <= reportedProblems else {
            let last = problems.count - 1
            problems[last].count += 1
            problems[last].message = "\(problems[last].count) more lines of this list are not host names"
            return
        }
        let problem = file.diagnostic(
            .warning(.invalidHost),
            isNetwork ? "this line is a network, and this list is of host names" : "this line names no host",
            at: place,
            length: content.count,
            suggestion: isNetwork
                ? "write block networks FILE; for a list of networks of clients"
                : host(in: content).map { "write \($0)" }
        )
        problems.append(problem)
    }

    /// The host of a URL, or one before a port or a path; nil for other texts.
    private static func host(in content: ArraySlice<UInt8>) -> String? {
        for url in [Array(content), Array("http://".utf8) + content] {
            guard let range = (try? URLParser.parse(url.span))?.host else { continue }
            let host = url[Int(range.start)..<Int(range.end)]
            guard host.count < content.count, host.contains(UInt8(ascii: ".")), host.allSatisfy(isHostByte) else {
                return nil
            }
            return String(decoding: host, as: UTF8.self)
        }
        return nil
    }

    /// Returns true if a line is a network: one address may be the host of a URL.
    private static func isNetwork(_ name: [UInt8]) -> Bool {
        let text = name.first == UInt8(ascii: ".") ? Array(name.dropFirst()) : name
        return text.contains(UInt8(ascii: "/")) && AddressNetwork.parse(text.span)?.network != nil
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let last = line.last, last == 0x20 || last == 0x09 || last == 0x0d { line.removeLast() }
        while let first = line.first, first == 0x20 || first == 0x09 { line.removeFirst() }
        return line
    }

    /// The names that a line blocks.
    private static func names(of line: ArraySlice<UInt8>, isAdblock: Bool) -> [[UInt8]] {
        guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "!"), first != UInt8(ascii: "[")
        else { return [] }
        if line.starts(with: Array("||".utf8)) { return adblockName(line).map { [$0] } ?? [] }
        if isAdblock || line.starts(with: Array("@@".utf8)) { return [] }
        // Rules about elements of pages.
        if ["##", "#@#", "#?#", "#$#"].contains(where: { line.firstRange(of: Array($0.utf8)) != nil }) { return [] }
        let content = line.prefix { $0 != UInt8(ascii: "#") }
        let fields = content.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 })
        guard let head = fields.first else { return [] }
        if fields.count > 1, InternetAddress(parsing: Array(head).span) != nil {
            return fields.dropFirst().map { Array($0) }.filter { !localNames.contains($0) }
        }
        guard fields.count == 1 else { return [Array(content)] }
        let name = Array(head.count > 1 && head.last == UInt8(ascii: ".") ? head.dropLast() : head)
        if name.first == UInt8(ascii: "*") || name.first == UInt8(ascii: ".") { return [name] }
        return [[UInt8(ascii: ".")] + name]
    }

    /// Names of the machine itself in hosts files.
    private static let localNames: Set<[UInt8]> = Set(
        [
            "localhost", "localhost.localdomain", "local", "broadcasthost", "ip6-localhost", "ip6-loopback",
            "ip6-localnet", "ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters", "ip6-allhosts", "0.0.0.0",
        ]
        .map { Array($0.utf8) }
    )

    /// The name in `||NAME^` with nothing but harmless options after it; nil for lines about less than a host.
    private static func adblockName(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let rest = line.dropFirst(2)
        guard let caret = rest.firstIndex(of: UInt8(ascii: "^")) else { return nil }
        let name = Array(rest[..<caret])
        let tail = rest[(caret + 1)...]
        guard tail.isEmpty || isHarmless(tail) else { return nil }
        guard !name.isEmpty, name.allSatisfy({ isHostByte($0) }) else { return nil }
        return [UInt8(ascii: ".")] + name
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Options that take nothing away from "this whole host".
    private static func isHarmless(_ tail: ArraySlice<UInt8>) -> Bool {
        guard tail.first == UInt8(ascii: "$") else { return false }
        return tail.dropFirst().split(separator: UInt8(ascii: ","))
            .allSatisfy { option in
                ["all", "important", "document", "doc", "third-party", "3p"]
                    .contains(String(decoding: option, as: UTF8.self))
            }
    }
}
