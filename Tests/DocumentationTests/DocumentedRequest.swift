import Foundation
import NginxOracle
import Shunt

/// A request as documents write it.
///
/// The line is `[METHOD] URL` or `[METHOD] TARGET HOST [HTTP/1.0]`, with `-` for no Host and `""` for nothing; then
/// comes `-> ` and what happens, and perhaps a remark behind ` # `. Indented lines below add to the request (`> Name:
/// value` a header, `$name = value` an input, `@remote`, `@time` and `@listen` with a value) or to its outcome (`<
/// Name: value`).
struct DocumentedRequest {
    var request: RuleRequest
    /// The lines of the request, without the result.
    var lines: [String]
    var remark = ""
    /// The documented outcome; the first line without its arrow.
    var outcome: [String] = []
    /// The line in the document, from 1.
    var line: Int

    /// A mistake in the text of a block.
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// The requests of a block.
    static func all(in block: Document.Block) throws -> [DocumentedRequest] {
        var result: [DocumentedRequest] = []
        for (index, line) in block.lines.enumerated() where !line.isEmpty {
            if !line.hasPrefix(" ") {
                result.append(try DocumentedRequest(line, at: block.line + index))
                continue
            }
            guard !result.isEmpty else { throw Problem(description: "line \(block.line + index): no request above") }
            try result[result.count - 1].add(line, at: block.line + index)
        }
        return result
    }

    private init(_ text: String, at line: Int) throws {
        self.line = line
        var text = text
        if let range = text.range(of: "  # ") {
            remark = String(text[range.lowerBound...])
            text = String(text[..<range.lowerBound])
        }
        var subject = text
        if let arrow = text.range(of: " -> ") {
            subject = String(text[..<arrow.lowerBound])
            outcome = [String(text[arrow.upperBound...]).trimmed]
        }
        subject = subject.trimmed
        lines = [subject]
        var words = subject.split(separator: " ").map(String.init)
        var method = "GET"
        if words.count > 1, words[0].utf8.allSatisfy({ $0.isASCIIUppercase }) { method = words.removeFirst() }
        var version = "1.1"
        if words.count > 2, words[2].hasPrefix("HTTP/") { version = String(words.removeLast().dropFirst(5)) }
        let bytes = words.map { $0 == "\"\"" ? [] : ByteText.decode($0.utf8) }
        switch bytes.count {
        case 1: request = RuleRequest(url: bytes[0])
        case 2: request = RuleRequest(target: bytes[0], host: words[1] == "-" ? nil : bytes[1])
        default: throw Problem(description: "line \(line): a request is a URL, or a target and a host")
        }
        request.method = method
        request.version = version
    }

    private mutating func add(_ text: String, at line: Int) throws {
        let trimmed = text.trimmed
        if trimmed.hasPrefix("<") {
            outcome.append(trimmed)
            return
        }
        lines.append("    " + trimmed)
        let words = trimmed.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { throw Problem(description: "line \(line): cannot read \(trimmed)") }
        switch words[0] {
        case ">":
            let parts = words[1].split(separator: ":", maxSplits: 1).map { String($0) }
            guard parts.count == 2 else { throw Problem(description: "line \(line): no header") }
            request.headers.append(
                RuleRequest.Header(name: Array(parts[0].utf8), value: ByteText.decode(parts[1].trimmed.utf8))
            )
        case "@remote": request.remoteAddress = words[1]
        case "@time": request.time = try Timestamp(words[1])
        case "@listen":
            guard let port = Int(words[1]) else { throw Problem(description: "line \(line): no port") }
            request.listen = RuleRequest.Endpoint(port: port)
        case let name where name.hasPrefix("$") && words[1].hasPrefix("= "):
            request.inputs[String(name.dropFirst())] = Array(words[1].dropFirst(2).utf8)
        default: throw Problem(description: "line \(line): cannot read \(trimmed)")
        }
    }

    /// The lines with the result of the request; `width` is where the arrow is.
    func lines(with outcome: [String], width: Int) -> [String] {
        let first = lines[0] + String(repeating: " ", count: max(0, width - lines[0].count))
        return ["\(first) -> \(outcome.first ?? "")\(remark)"] + lines.dropFirst()
            + outcome.dropFirst().map { "    " + $0 }
    }

    /// The lines of all requests of a block with their results, the arrows in one column.
    static func lines(_ requests: [DocumentedRequest], with outcomes: [[String]]) -> [String] {
        let width = min(requests.map { $0.lines[0].count }.max() ?? 0, 72)
        return zip(requests, outcomes).flatMap { $0.lines(with: $1, width: width) }
    }
}

extension String {
    /// The text without spaces at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
