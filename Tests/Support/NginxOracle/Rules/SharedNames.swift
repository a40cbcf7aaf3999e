/// Rule sets that can share one nginx at the same time. They listen on different ports, but variables belong to the
/// whole configuration, and so does what is at the `http` level.
extension RuleText {
    /// Names that this text defines for everybody, in lower case.
    package var definedNames: Set<[UInt8]> {
        var result = Set<[UInt8]>()
        for item in topLevel where item.kind == .open && ["map", "geo", "split_clients"].contains(item.name) {
            if let name = item.words.last?.bytes.dropFirst() { result.insert(Array(name).lowercasedASCII) }
        }
        for item in directives(named: "set") where item.words.count > 1 {
            let name = Array(item.words[1].bytes.dropFirst()).lowercasedASCII
            if Self.isRequestName(name) { result.insert(name) }
        }
        return result
    }

    /// All names that the text mentions, as variables or as named groups, in lower case.
    package var mentionedNames: Set<[UInt8]> {
        var result = Set<[UInt8]>()
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "$") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "'") else { continue }
            if index < bytes.count, bytes[index] == UInt8(ascii: "{") { index += 1 }
            let start = index
            while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
            if index > start { result.insert(Array(bytes[start..<index]).lowercasedASCII) }
        }
        return result
    }

    /// True if the `http` level holds nothing that reaches into other rule sets, names apart.
    package var isPolite: Bool {
        if !hasServer { return true }
        let polite: Set<String> = ["server", "map", "geo", "split_clients"]
        return topLevel.allSatisfy { $0.kind == .open && polite.contains($0.name) }
    }

    private static func isRequestName(_ name: [UInt8]) -> Bool {
        let prefixes = ["http_", "arg_", "cookie_", "sent_http_", "sent_trailer_", "upstream_"]
        return prefixes.contains { name.starts(with: Array($0.utf8)) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Spreads rule sets over as few groups as a first fit finds, each of at most `limit` sets that can live together.
    package static func groups(_ texts: [RuleText], limit: Int) -> [[Int]] {
        struct Group {
            var members: [Int] = []
            var defined = Set<[UInt8]>()
            var mentioned = Set<[UInt8]>()
            var closed = false
        }
        var groups: [Group] = []
        for (index, text) in texts.enumerated() {
            let defined = text.definedNames
            let mentioned = text.mentionedNames
            let polite = text.isPolite
            let fit =
                polite
                ? groups.firstIndex { group in
                    !group.closed && group.members.count < limit && group.defined.isDisjoint(with: mentioned)
                        && group.mentioned.isDisjoint(with: defined)
                } : nil
            var group = fit.map { groups[$0] } ?? Group()
            group.members.append(index)
            group.defined.formUnion(defined)
            group.mentioned.formUnion(mentioned)
            group.closed = !polite
            if let fit { groups[fit] = group } else { groups.append(group) }
        }
        return groups.map(\.members)
    }
}
