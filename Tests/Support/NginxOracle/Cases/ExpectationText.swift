extension Expectation: CustomStringConvertible {
    /// The `>` line and the header lines under it, as a case file has them.
    package var lines: [[UInt8]] {
        var first: [UInt8]
        switch kind {
        case .response(let status, let location, let body):
            first = Array("> \(status)".utf8)
            if let location {
                let quoted: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\"")]
                first += location.isEmpty ? [] : [UInt8(ascii: " ")] + ByteText.encode(location, also: quoted)
            } else if let body {
                first += Array(" \"".utf8)
                for piece in body {
                    first += piece == UInt8(ascii: "\"") ? Array("\\\"".utf8) : ByteText.encode([piece])
                }
                first += Array("\"".utf8)
            }
        case .forward(let uri, let args):
            first =
                Array("> forward ".utf8)
                + ByteText.encode(uri, also: [UInt8(ascii: " "), UInt8(ascii: "?")])
            if !args.isEmpty { first += [UInt8(ascii: "?")] + ByteText.encode(args, also: [UInt8(ascii: " ")]) }
        case .closed(let status): first = Array("> closed \(status)".utf8)
        }
        let indent = Array("    ".utf8)
        let present = headers.map { indent + $0.name + Array(": ".utf8) + ByteText.encode($0.value) }
        let absent = absentHeaders.map { indent + [UInt8(ascii: "-")] + $0 }
        return [first] + present + absent + destinationLines(indent)
    }

    private func destinationLines(_ indent: [UInt8]) -> [[UInt8]] {
        switch destination {
        case .upstream(let url): [indent + Array("@upstream ".utf8) + ByteText.encode(url)]
        case .file(let path): [indent + Array("@file ".utf8) + ByteText.encode(path)]
        case .missing(let status): [indent + Array("@static \(status)".utf8)]
        case nil: []
        }
    }

    package var description: String {
        lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
}

extension RequestOutcome.Destination {
    /// Reads what is after `@`.
    init?(caseText text: [UInt8]) {
        guard let space = text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let value = ByteText.decode(text[(space + 1)...])
        switch String(decoding: text[..<space], as: UTF8.self) {
        case "upstream": self = .upstream(value)
        case "file": self = .file(value)
        case "static":
            guard let status = Int(String(decoding: value, as: UTF8.self)) else { return nil }
            self = .missing(status: status)
        default: return nil
        }
    }
}

extension RequestOutcome.Kind {
    /// Reads what is after `> `.
    init?(caseText text: [UInt8]) {
        let forward = Array("forward ".utf8)
        let text = text == forward.dropLast() ? forward : text
        let closed = Array("closed ".utf8)
        if text.starts(with: forward) {
            let rest = text.dropFirst(forward.count)
            let mark = rest.firstIndex(of: UInt8(ascii: "?"))
            let uri = ByteText.decode(rest[..<(mark ?? rest.endIndex)])
            self = .forward(uri: uri, args: mark.map { ByteText.decode(rest[($0 + 1)...]) } ?? [])
            return
        }
        if text.starts(with: closed) {
            guard let status = Int(String(decoding: text.dropFirst(closed.count), as: UTF8.self)) else { return nil }
            self = .closed(status: status)
            return
        }
        let space = text.firstIndex(of: UInt8(ascii: " ")) ?? text.endIndex
        guard let status = Int(String(decoding: text[..<space], as: UTF8.self)), (0...999).contains(status) else {
            return nil
        }
        let rest = Array(text[space...].dropFirst())
        if rest.first == UInt8(ascii: "\"") {
            guard rest.count >= 2, rest.last == UInt8(ascii: "\"") else { return nil }
            self = .response(status: status, location: nil, body: ByteText.decode(rest[1..<rest.count - 1]))
        } else if RequestOutcome.redirectStatuses.contains(status) {
            self = .response(status: status, location: ByteText.decode(rest), body: nil)
        } else if rest.isEmpty {
            self = .response(status: status, location: nil, body: nil)
        } else {
            return nil
        }
    }
}
