package import ShuntRules

/// Writes decisions after the requests of a test file that have none.
package enum TestRecording {
    /// The text of a file with the decisions, by line, about its requests without one; what is recorded stays
    /// unchanged.
    package static func record(_ bytes: [UInt8], _ decisions: [Int: Decision]) -> [UInt8] {
        let file = RuleFile(name: "", bytes: bytes)
        var result: [UInt8] = []
        var copied = 0
        for (line, decision) in decisions.sorted(by: { $0.key < $1.key }) {
            let number = Int32(truncatingIfNeeded: line)
            guard let start = file.offset(line: number, column: 1) else { continue }
            let text = file.line(number)
            var subject = TestLine(text)
            subject.dropRemark()
            let end = subject.trimmed.endIndex
            result += bytes[copied..<end]
            result += " -> \(outcome(of: decision))".utf8
            result += bytes[end..<text.endIndex]
            copied = start + text.count
            for parameter in decision.parameters where !isPlain(parameter.value) {
                let value = WrittenBytes.encode(Array(parameter.value.utf8), escaping: " ")
                result += "\n    parameter \(parameter.name)\(value.isEmpty ? "" : " ")\(value)".utf8
            }
        }
        return result + bytes[copied...]
    }

    /// Returns the result of a request as test files write it.
    package static func outcome(of decision: Decision) -> String {
        var words = [decision.kind.rawValue]
        if let status = decision.status { words.append("\(status)") }
        if decision.kind == .respond {
            if let body = decision.body, !body.isEmpty {
                words.append("\"\(WrittenBytes.encode(body, escaping: "\""))\"")
            }
        } else if decision.kind != .fail, decision.kind != .block, let url = decision.urlBytes {
            words.append(WrittenBytes.encode(url, escaping: " "))
        }
        if let route = decision.route {
            let parameters = decision.parameters.filter { isPlain($0.value) }.map { ", \($0.name)=\($0.value)" }
            words.append("(route \(route)\(parameters.joined()))")
        }
        return words.joined(separator: " ")
    }

    /// Returns true if a value can be in the list of parameters.
    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !Array(",()\\\"".utf8).contains($0) }
    }
}
