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

    /// Returns true if a matcher's expression matches the URL in one of the spellings that it reads.
    mutating func matches(_ matcher: Matcher) throws(EvaluationFailure) -> Bool {
        if matcher.spelling == .written { return try match(matcher.pattern, on: url.range) }
        let form = try normalForm()
        if try hasMoreForms() { return try matchesForms(matcher) }
        if try match(matcher.pattern, on: form) {
            if form != url.range { recorder?.record(form: form, in: self) }
            return true
        }
        return matcher.spelling == .both && form != url.range ? try match(matcher.pattern, on: url.range) : false
    }
}
