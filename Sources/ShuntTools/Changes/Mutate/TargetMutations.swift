import ShuntCore

/// Makes small mistakes in what a rule makes of a request: its target, its status, its flag.
enum TargetMutations {
    /// The mistakes in the target of a rule with so many groups; at the end of a rewrite a question mark drops the
    /// query.
    static func ofTarget(_ text: [UInt8], groups: Int, isRewrite: Bool) -> [MutatedText] {
        var found: [MutatedText] = []
        func add(_ kind: Mutation.Kind, _ change: String, _ range: Range<Int>, _ new: [UInt8]) {
            var changed = text
            changed.replaceSubrange(range, with: new)
            if changed != text, !changed.isEmpty {
                found.append(MutatedText(kind: kind, change: change, text: changed))
            }
        }
        let captures = text.references(after: "$")
        for capture in captures {
            let digit = text[capture + 1]
            add(.capture, "without \"$\(Unicode.Scalar(digit))\"", capture..<capture + 2, [])
            let number = Int(digit - UInt8(ascii: "0"))
            let other = number < groups ? number + 1 : number - 1
            if other >= 1, other <= groups, groups <= 9 {
                let new = Array("$\(other)".utf8)
                add(.capture, "\"$\(other)\" for \"$\(number)\"", capture..<capture + 2, new)
            }
        }
        if captures.count > 1, text[captures[0] + 1] != text[captures[1] + 1] {
            var changed = text
            changed.swapAt(captures[0] + 1, captures[1] + 1)
            found.append(MutatedText(kind: .capture, change: "captures swapped", text: changed))
        }
        if let letter = lastLetter(of: text) {
            let new = text[letter] == UInt8(ascii: "z") ? UInt8(ascii: "a") : text[letter] + 1
            let shown = "\"\(Unicode.Scalar(new))\" for \"\(Unicode.Scalar(text[letter]))\""
            add(.constant, "\(shown) in the target", letter..<letter + 1, [new])
        }
        if let range = range(of: Array("$is_args$args".utf8), in: text) {
            add(.constant, "without $is_args$args", range, [])
        }
        if isRewrite {
            let mark = UInt8(ascii: "?")
            if text.last == mark {
                add(.constant, "without \"?\" at the end", text.count - 1..<text.count, [])
            } else {
                add(.constant, "\"?\" at the end", text.count..<text.count, [mark])
            }
        }
        return found
    }

    private static func range(of part: [UInt8], in text: [UInt8]) -> Range<Int>? {
        guard text.count >= part.count else { return nil }
        return (0...text.count - part.count).first { text[$0...].starts(with: part) }.map { $0..<$0 + part.count }
    }

    /// The last small letter that is not a part of a variable's name.
    private static func lastLetter(of text: [UInt8]) -> Int? {
        var isName = false
        var found: Int?
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "$") {
                isName = true
            } else if !(byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "{"))
            {
                isName = false
            }
            if !isName, (0x61...0x7a).contains(byte) { found = index }
        }
        return found
    }

    /// Another status, as people mix them up.
    static func ofStatus(_ text: String) -> String? {
        switch text {
        case "301": "302"
        case "302": "301"
        case "307": "308"
        case "308": "307"
        case "403": "404"
        case "404": "403"
        case "410": "404"
        case "permanent": "redirect"
        case "redirect": "permanent"
        case "last": "break"
        case "break": "last"
        default: nil
        }
    }

    /// A host's name with a wildcard more or less.
    static func ofHost(_ text: String) -> String? {
        if text.hasPrefix("*.") { return String(text.dropFirst(2)) }
        if text.hasPrefix(".") { return String(text.dropFirst()) }
        if text.hasPrefix("~") || text.isEmpty || text.hasSuffix("*") || !text.contains(".") { return nil }
        return "." + text
    }

    /// The first client of the network next to another one, which both are half of the next larger one.
    static func addressesBeside(_ text: String) -> [String] {
        guard let network = AddressNetwork.parse(Array(text.utf8).span)?.network,
            let wider = AddressNetwork.parse(Array((ofNetwork(text) ?? "").utf8).span)?.network
        else { return [] }
        let candidates = [wider.firstClient, wider.range.last]
        return candidates.filter { !network.contains($0) }.map(\.description)
    }

    /// A network that is twice as large.
    static func ofNetwork(_ text: String) -> String? {
        guard let network = AddressNetwork.parse(Array(text.utf8).span)?.network, network.prefixLength > 0 else {
            return nil
        }
        return "\(AddressNetwork(network.base, prefixLength: network.prefixLength - 1))"
    }
}
