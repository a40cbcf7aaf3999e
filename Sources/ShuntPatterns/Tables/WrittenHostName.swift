/// A host name as rules write it: exact, or with a wildcard for one or more labels at one end.
struct WrittenHostName {
    enum Kind: Hashable {
        /// `a.b`: that host.
        case exact
        /// `*.a.b`: hosts below it.
        case leading
        /// `.a.b`: the host and those below it.
        case exactAndLeading
        /// `a.*`: hosts that begin with these labels.
        case trailing
    }

    let kind: Kind
    /// The part of the text without the wildcard and the dot that joins it.
    let literal: Range<Int>

    /// Reads a name; nil when it is not one that nginx would take: a `*` that is not the whole first or last label, two
    /// of them, an empty label, nothing but the wildcard, or a NUL.
    init?(_ text: Span<UInt8>) {
        let star = UInt8(ascii: "*")
        let dot = UInt8(ascii: ".")
        var start = 0
        var end = text.count
        var kind = Kind.exact
        if end >= 2, text[0] == star, text[1] == dot {
            kind = .leading
            start = 2
        } else if end >= 2, text[end - 1] == star, text[end - 2] == dot {
            kind = .trailing
            end -= 2
            if end > 0, text[end - 1] == dot { return nil }
        } else if end >= 1, text[0] == dot {
            kind = .exactAndLeading
            start = 1
        }
        guard start < end || kind == .exact else { return nil }
        for index in start..<max(start, end) {
            let byte = text[index]
            guard byte != star, byte != 0 else { return nil }
            if byte == dot, index == start || text[index - 1] == dot { return nil }
        }
        self.kind = kind
        self.literal = start..<max(start, end)
    }
}
