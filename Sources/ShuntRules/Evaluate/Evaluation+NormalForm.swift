import ShuntCore

/// Matchers that other spellings of the URL do not avoid.
extension Evaluation {
    /// The normal form of the URL: the URL itself where it is written so.
    mutating func normalForm() throws(EvaluationFailure) -> ByteRange {
        if let known = url.normalForm { return known }
        var form = url.range
        if !NormalForm.holds(url.range, url.parts, in: arena) {
            let mark = arena.mark
            NormalForm.append(url.range, url.parts, to: arena)
            form = try made(from: mark)
        }
        url.normalForm = form
        return form
    }

    /// The normal form without port and fragment, where a request over HTTP has one; nil elsewhere.
    ///
    /// Both are the client's word there, and neither the servers nor an upstream make another page of them.
    @inline(__always)
    mutating func pageForm() throws(EvaluationFailure) -> ByteRange? {
        guard url.parts.port != nil || url.parts.fragment != nil else { return nil }
        return try formOfPage()
    }

    @inline(never)
    private mutating func formOfPage() throws(EvaluationFailure) -> ByteRange? {
        guard !request.line.isForURL, url.isWeb else { return nil }
        if let known = url.pageForm { return known }
        var parts = url.parts
        (parts.port, parts.portNumber, parts.fragment) = (nil, nil, nil)
        let mark = arena.mark
        NormalForm.append(url.range, parts, to: arena)
        let form = try made(from: mark)
        url.pageForm = form
        return form
    }

    /// Returns true if a matcher's expression matches the URL in one of the spellings that it looks at.
    mutating func matches(_ matcher: Matcher) throws(EvaluationFailure) -> Bool {
        if matcher.spelling == .written { return try match(matcher.pattern, on: url.range) }
        let form = try normalForm()
        if try match(matcher.pattern, on: form) {
            if form != url.range { recorder?.record(form: form, in: self) }
            return true
        }
        if matcher.spelling == .both, form != url.range, try match(matcher.pattern, on: url.range) { return true }
        guard let page = try pageForm(), try match(matcher.pattern, on: page) else { return false }
        recorder?.record(form: page, in: self)
        return true
    }
}
