/// The target of an HTTP request line, taken apart and normalised exactly as nginx does it.
///
/// All ranges are in the arena that the target was parsed in.
package struct RequestTarget: Sendable, Hashable {
    /// The target as it was sent, from the path on, with `?…` and `#…`: `$request_uri`.
    ///
    /// It is `/` for `http://h` and `?q` for `http://h?q`.
    package var requestURI: ByteRange
    /// The decoded path without dot segments and, if asked for, with runs of slashes merged: `$uri`.
    package var path: ByteRange
    /// The path as it was sent, which `path` is too unless something in it had to be changed.
    package var sentPath: ByteRange
    /// The bytes between the first `?` and any `#`, as sent: `$args`.
    ///
    /// Empty when there is none.
    package var arguments: ByteRange
    /// The scheme of an absolute-form target; nginx ignores it.
    package var absoluteScheme: ByteRange?
    /// The host of an absolute-form target in the form that servers are selected by.
    ///
    /// It wins over the `Host` header.
    package var absoluteHost: ByteRange?
    /// The digits after the host's colon in an absolute-form target; nginx ignores them.
    package var absolutePort: ByteRange?
    /// True if the path, as it was sent, had an escape (`%XX`).
    package var isQuoted: Bool
    /// True if the path, as it was sent, had a `+`, raw or escaped.
    package var hasPlus: Bool

    /// True if captures from this request are escaped in arguments and redirects.
    ///
    /// It stays the same for the whole request.
    package var needsEscape: Bool { isQuoted || hasPlus }

    /// The largest number of bytes a target may have.
    package static let maximumLength = 65_536

    /// Parses the bytes of `source`, the target of the request line, which is a part of `arena`.
    ///
    /// When the path needs no change it is a part of `source`; otherwise the changed path is appended to the arena.
    /// Runs of slashes become one if it `mergeSlashes`, as in nginx. The time is in proportion to the length.
    package static func parse(
        _ source: ByteRange,
        in arena: ByteArena,
        mergeSlashes: Bool
    ) throws(RequestTargetError) -> RequestTarget {
        guard !source.isEmpty else { throw .empty }
        guard source.count <= maximumLength else { throw .tooLong(limit: Int32(maximumLength)) }
        let layout = try arena.withBytes(source) { (bytes) throws(RequestTargetError) in
            try RequestTargetLayout(bytes, mergeSlashes: mergeSlashes)
        }
        let offset = source.start
        var target = RequestTarget(
            requestURI: layout.requestURI.moved(by: offset),
            path: layout.path.moved(by: offset),
            sentPath: layout.path.moved(by: offset),
            arguments: layout.arguments.moved(by: offset),
            absoluteScheme: layout.scheme?.moved(by: offset),
            absoluteHost: nil,
            absolutePort: layout.port?.moved(by: offset),
            isQuoted: layout.isQuoted,
            hasPlus: layout.hasPlus
        )
        if let host = layout.host?.moved(by: offset) {
            do {
                target.absoluteHost = try HostName.normalise(host, in: arena)
            } catch {
                throw .refusedHost(error)
            }
        }
        if layout.needsNormalising {
            var path = PathNormaliser(mergeSlashes: mergeSlashes, mark: arena.mark)
            try path.run(over: target.path, start: source.start, in: arena)
            target.path = arena.range(from: path.mark)
            target.hasPlus = target.hasPlus || path.sawPlus
        }
        return target
    }
}

/// The place where the parts of a target are before anything is decoded, relative to its start.
private struct RequestTargetLayout {
    var requestURI: ByteRange
    var path: ByteRange = .empty
    var arguments: ByteRange = .empty
    var scheme: ByteRange?
    var host: ByteRange?
    var port: ByteRange?
    var isQuoted = false
    var hasPlus = false
    var needsNormalising = false

    init(_ bytes: Span<UInt8>, mergeSlashes: Bool) throws(RequestTargetError) {
        requestURI = ByteRange(0, bytes.count)
        var start = 0
        if bytes[0] != UInt8(ascii: "/") {
            start = try readAuthority(bytes)
            requestURI = ByteRange(start, bytes.count)
            if start == bytes.count {
                // `http://h`: the path is the second slash of `://`, so that it too is a part of the source.
                let slash = scheme.map { Int($0.end) + 2 } ?? 0
                requestURI = ByteRange(slash, slash + 1)
                path = requestURI
                return
            }
        }
        let pathEnd = try readPath(bytes, from: start, mergeSlashes: mergeSlashes)
        path = ByteRange(start, pathEnd)
        if pathEnd == start {
            let slash = scheme.map { Int($0.end) + 2 } ?? 0
            path = ByteRange(slash, slash + 1)
        }
        try readArguments(bytes, from: pathEnd)
    }

    /// Reads `scheme://host[:port]` and returns where it ends.
    private mutating func readAuthority(_ bytes: Span<UInt8>) throws(RequestTargetError) -> Int {
        var index = 0
        while index < bytes.count, RequestTargetLayout.isSchemeByte(bytes[index], isFirst: index == 0) { index += 1 }
        guard index > 0, bytes.count > index + 2, bytes[index] == UInt8(ascii: ":"),
            bytes[index + 1] == UInt8(ascii: "/"), bytes[index + 2] == UInt8(ascii: "/")
        else {
            throw Self.refusal(of: bytes, at: min(index, bytes.count - 1)) { _ in .invalidForm(offset: 0) }
        }
        scheme = ByteRange(0, index)
        let hostStart = index + 3
        index = hostStart
        if index < bytes.count, bytes[index] == UInt8(ascii: "[") {
            index += 1
            while index < bytes.count, RequestTargetLayout.isLiteralByte(bytes[index]) { index += 1 }
            guard index < bytes.count, bytes[index] == UInt8(ascii: "]") else {
                throw Self.refusal(of: bytes, at: index) { .invalidHost(offset: $0) }
            }
            index += 1
        } else {
            while index < bytes.count {
                let byte = bytes[index]
                guard byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                else { break }
                index += 1
            }
        }
        host = ByteRange(hostStart, index)
        if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
            let portStart = index + 1
            index = portStart
            while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
            port = ByteRange(portStart, index)
        }
        guard index == bytes.count || bytes[index] == UInt8(ascii: "/") || bytes[index] == UInt8(ascii: "?") else {
            throw Self.refusal(of: bytes, at: index) { .invalidHost(offset: $0) }
        }
        return index
    }

    /// Reads the path and returns where it ends: at the first `?` or `#`, or with the target.
    private mutating func readPath(
        _ bytes: Span<UInt8>,
        from start: Int,
        mergeSlashes: Bool
    ) throws(RequestTargetError) -> Int {
        // The bytes below 0x40 that mean something: 0x00 to 0x20 and # % + / ?
        let special: UInt64 = 0x8000_8829_ffff_ffff
        var index = start
        while index < bytes.count {
            index = RequestTargetLayout.skipPlain(bytes, from: index, start: start)
            let byte = bytes[index]
            guard byte < 0x40 ? (special &>> UInt64(byte)) & 1 == 1 : byte == 0x7f else {
                index += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "/"):
                if RequestTargetLayout.startsOddSegment(bytes, index + 1, mergeSlashes: mergeSlashes) {
                    needsNormalising = true
                }
            case UInt8(ascii: "%"):
                isQuoted = true
                needsNormalising = true
            case UInt8(ascii: "+"): hasPlus = true
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return index
            default: throw Self.refusal(of: bytes, at: index) { .controlByte(offset: $0) }
            }
            index += 1
        }
        return index
    }

    /// The first byte from `index` on that needs a closer look, or the last one.
    ///
    /// A slash is plain here unless a slash or a dot follows it, so what a slash starts is read where the slash is;
    /// the last byte, which nothing follows, is always read. Blocks at the end overlap what was seen before.
    @inline(__always) private static func skipPlain(_ bytes: Span<UInt8>, from index: Int, start: Int) -> Int {
        var index = index
        let last = bytes.count &- 1
        while last &- index >= 16 {
            let skipped = SixteenBytes.countBeforeFirst(SixteenBytes.pathMarks(bytes, at: index))
            index &+= skipped
            if skipped < 16 { return index }
        }
        if index == last { return index }
        if last &- start >= 16 {
            let block = last &- 16
            return block
                &+ SixteenBytes.countBeforeFirst(SixteenBytes.pathMarks(bytes, at: block), from: index &- block)
        }
        guard last &- index >= 8 else { return index }
        return index &+ EightBytes.countBeforeFirst(shortPathMarks(bytes, at: index))
    }

    /// Marks those of the eight bytes from `index` on that need a closer look; see `SixteenBytes.pathMarks`.
    @inline(__always) private static func shortPathMarks(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
        let word = EightBytes.load(bytes, at: index)
        let next = EightBytes.load(bytes, at: index &+ 1)
        var marks = EightBytes.forbiddenOrQuestionMark(word)
        marks |= EightBytes.equal(word & ~EightBytes.each(0x08), UInt8(ascii: "#"))
        marks |= EightBytes.equal(word, UInt8(ascii: "%"))
        let slashes = EightBytes.equal(word, UInt8(ascii: "/"))
        return marks | slashes & EightBytes.equal(next | EightBytes.each(0x01), UInt8(ascii: "/"))
    }

    private mutating func readArguments(_ bytes: Span<UInt8>, from pathEnd: Int) throws(RequestTargetError) {
        guard pathEnd < bytes.count else { return }
        var end = bytes.count
        var index = pathEnd
        while index < bytes.count {
            if bytes.count &- index >= 8 {
                let skipped = EightBytes.countBeforeFirst(EightBytes.queryMarks(bytes, at: index))
                index &+= skipped
                if skipped == 8 { continue }
            }
            let byte = bytes[index]
            if byte == UInt8(ascii: "#"), end == bytes.count { end = index }
            if byte <= 0x20 || byte == 0x7f { throw Self.refusal(of: bytes, at: index) { .controlByte(offset: $0) } }
            index &+= 1
        }
        if bytes[pathEnd] == UInt8(ascii: "?") { arguments = ByteRange(pathEnd + 1, end) }
    }

    /// The error for the byte at `index`: its own for a control byte or a space, otherwise `other`.
    private static func refusal(
        of bytes: Span<UInt8>,
        at index: Int,
        or other: (Int32) -> RequestTargetError
    ) -> RequestTargetError {
        let offset = Int32(truncatingIfNeeded: index)
        guard index < bytes.count else { return other(offset) }
        if bytes[index] == 0x20 { return .space(offset: offset) }
        return bytes[index].isASCIIControl ? .controlByte(offset: offset) : other(offset)
    }

    /// Returns true if the segment at `index`, just after a slash, is to be removed: an empty one that is not the last,
    /// `.` or `..`.
    private static func startsOddSegment(_ bytes: Span<UInt8>, _ index: Int, mergeSlashes: Bool) -> Bool {
        guard index < bytes.count else { return false }
        if bytes[index] == UInt8(ascii: "/") { return mergeSlashes }
        guard bytes[index] == UInt8(ascii: ".") else { return false }
        if endsSegment(bytes, index + 1) { return true }
        return bytes[index + 1] == UInt8(ascii: ".") && endsSegment(bytes, index + 2)
    }

    private static func endsSegment(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
        guard index < bytes.count else { return true }
        let byte = bytes[index]
        return byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func isSchemeByte(_ byte: UInt8, isFirst: Bool) -> Bool {
        if byte.isASCIILetter { return true }
        if isFirst { return false }
        return byte.isASCIIDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isLiteralByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte < 0x80 && URLParser.isNameByte(byte)
    }
}
