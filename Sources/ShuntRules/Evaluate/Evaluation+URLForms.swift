import ShuntCore

/// A form of the URL of a request over HTTP.
struct URLForm {
    var range: ByteRange
    /// The reading of the path; nil for a form as written, which only `block` and `degrade` read.
    var reading: NormalForm.Reading?
}

/// Requests over HTTP that can be read in several ways.
///
/// The port of the Host, a fragment and an empty query are the client's word, and make no other page. A path with a `\` or
/// empty segments is another one for browsers than for nginx, for files or by RFC 3986: which one an upstream reads is not known.
extension Evaluation {
    /// Returns true if the URL has more forms than its normal one, which are in `urlForms` then.
    @inline(__always)
    mutating func hasMoreForms() throws(EvaluationFailure) -> Bool {
        if let known = url.hasMoreForms { return known }
        let found = try findForms()
        url.hasMoreForms = found
        return found
    }

    @inline(never)
    private mutating func findForms() throws(EvaluationFailure) -> Bool {
        guard !request.line.isForURL, url.isWeb else { return false }
        let parts = url.parts
        let hasPageForm = parts.port != nil || parts.fragment != nil || parts.query?.isEmpty == true
        let isAmbiguous = try normalForm() != url.range && isAmbiguous(parts.path)
        let hasNoHost = parts.host?.isEmpty == true
        guard hasPageForm || isAmbiguous || hasNoHost else { return false }
        var page = parts
        (page.port, page.portNumber, page.fragment) = (nil, nil, nil)
        if page.query?.isEmpty == true { page.query = nil }
        urlForms.removeAll(keepingCapacity: true)
        for reading in NormalForm.Reading.all.prefix(isAmbiguous ? NormalForm.Reading.all.count : 1) {
            try addForm(parts, reading)
            if hasPageForm { try addForm(page, reading) }
        }
        if hasPageForm || hasNoHost {
            // Without a Host, as HTTP/1.0 may be, the address stands for it.
            let host = hasNoHost ? try localHost() : .empty
            let mark = arena.mark
            arena.append(copyOf: ByteRange(start: url.range.start, end: (page.host ?? page.scheme).end))
            arena.append(copyOf: host)
            arena.append(copyOf: ByteRange(start: page.path.start, end: (page.query ?? page.path).end))
            urlForms.append(URLForm(range: try made(from: mark), reading: nil))
        }
        return true
    }

    private mutating func addForm(_ parts: URLParts, _ reading: NormalForm.Reading) throws(EvaluationFailure) {
        let mark = arena.mark
        NormalForm.append(url.range, parts, reading: reading, to: arena)
        urlForms.append(URLForm(range: try made(from: mark), reading: reading))
    }

    /// Returns true if a path has a `\`, or two slashes after each other, escaped or not.
    private func isAmbiguous(_ path: ByteRange) -> Bool {
        var offset = path.start
        var followsSlash = false
        while offset < path.end {
            let unit = NormalForm.Unit(at: offset, before: path.end, in: arena)
            if unit.byte == UInt8(ascii: "\\"), !unit.isEscaped { return true }
            let isSlash = unit.byte == UInt8(ascii: "/")
            if isSlash, followsSlash { return true }
            followsSlash = isSlash
            offset &+= unit.length
        }
        return false
    }

    /// Returns true if a matcher's expression matches one of the forms that it reads.
    ///
    /// - Throws: A failure if a `match`, which may let requests through, is for the page in one reading and not in another.
    @inline(never)
    mutating func matchesForms(_ matcher: Matcher) throws(EvaluationFailure) -> Bool {
        let forms = urlForms
        var found: ByteRange?
        // A bit for each reading: a decision allocates nothing.
        var matched: UInt8 = 0
        var looked: UInt8 = 0
        for form in forms {
            let bit = form.reading.map { UInt8(1) << $0.rawValue } ?? 0
            looked |= bit
            if matched & bit != 0 { continue }
            if form.reading == nil, matcher.spelling != .both || found != nil { continue }
            guard try match(matcher.pattern, on: form.range) else { continue }
            found = found ?? form.range
            matched |= bit
        }
        if matcher.spelling == .both {
            if found == nil { return try match(matcher.pattern, on: url.range) }
        } else if matched != 0, matched != looked {
            throw failure(.malformedTarget, status: 400)
        }
        guard let found, try match(matcher.pattern, on: found) else { return false }
        recorder?.record(form: found, in: self)
        return true
    }
}
