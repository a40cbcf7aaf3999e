/// A part of a request that a test of HAProxy reads: a variable, and the place of the value in it.
///
/// A header is a list of values, an argument or a cookie may be there several times, and a test holds where one of them does.
struct HAProxySample {
    private let subject: String
    /// The expressions of what is before and after a value.
    private let (before, after): (String, String)
    /// The expression of a part of a value that has a name before it; empty where values have no names.
    private let filler: String

    /// Finds the sample of a fetch.
    init(_ fetch: String) throws(Unsaid) {
        if let match = fetch.wholeMatch(of: #/(?:req\.)?hdr\(([\w-]+)\)/#) {
            let header = ImportedTest.header(match.1)
            self =
                header == "$http_host"
                ? .init(plain: "$host") : .init(header, before: "(?:^|,)[ \\t]*", after: "[ \\t]*(?:,|$)")
            return
        }
        if let match = fetch.wholeMatch(of: #/(?:url_param|urlp)\((\w+)\)/#) {
            self.init("$args", before: "(?:^|[&;])\(match.1)=", after: "(?:[&;]|$)", filler: "[^&;]*")
            return
        }
        if let match = fetch.wholeMatch(of: #/(?:req\.)?cook\((\w+)\)/#) {
            let before = "(?:^|[;,][ \\t]*)\(match.1)="
            self.init("$http_cookie", before: before, after: "[ \\t]*(?:[;,]|$)", filler: "[^;,]*")
            return
        }
        let known = [
            "path": "$uri", "method": "$request_method", "url": "$request_uri", "query": "$args", "base": "$host$uri",
        ]
        guard let subject = known[fetch] else { throw Unsaid("\(fetch) has no counterpart") }
        self.init(plain: subject)
    }

    private init(_ subject: String, before: String, after: String, filler: String = "") {
        self.subject = subject
        (self.before, self.after, self.filler) = (before, after, filler)
    }

    private init(plain subject: String) { self.init(subject, before: "^", after: "$") }

    /// The value that a map has, in a variable.
    init(ofMap variable: String) { self.init(plain: variable) }

    private var isNamed: Bool { !filler.isEmpty }

    private var isPlain: Bool { before == "^" }

    /// The tests by a method of matching, of which one has to hold.
    func tests(_ method: String, values: [String], ignoresCase: Bool) throws(Unsaid) -> [ImportedTest] {
        if method == "reg" {
            var tests: [ImportedTest] = []
            for value in values {
                tests.append(.init(subject, .matches(try expression(value), ignoresCase: ignoresCase)))
            }
            return tests
        }
        if isPlain, method.isEmpty || method == "str", !ignoresCase, values.count == 1, !values[0].contains("$") {
            return [.init(subject, .equals(values[0]))]
        }
        let delimiters = ["dir": "/?", "dom": "/?.:"][method]
        let literals = values.map { value in
            // As in HAProxy the delimiters around a value do not count.
            guard let delimiters else { return ImportedExpression.literal(value) }
            return ImportedExpression.literal(value.withoutEnds { delimiters.contains($0) })
        }
        guard !literals.contains("") else { throw Unsaid("an empty value") }
        let all = literals.count == 1 ? literals[0] : "(?:\(literals.joined(separator: "|")))"
        let start = isNamed ? before + filler : ""
        let text: String
        switch method {
        case "", "str": text = before + all + after
        case "beg": text = before + all
        case "end": text = start + all + after
        case "sub": text = start + all
        case "dir", "dom":
            let sign = method == "dir" ? "[/?]" : "[/?.:]"
            let first = isNamed ? "\(before)(?:\(filler)\(sign))?" : "(?:\(before)|\(sign))"
            text = first + all + "(?:\(after)|\(sign))"
        default: throw Unsaid("the match \(method)")
        }
        return [.init(subject, .matches(text, ignoresCase: ignoresCase))]
    }

    /// An expression on one value.
    private func expression(_ text: String) throws(Unsaid) -> String {
        if isPlain { return text }
        var inner = text[...]
        let (isStart, isEnd) = (inner.hasPrefix("^"), inner.hasSuffix("$") && !inner.hasSuffix("\\$"))
        if isStart { inner = inner.dropFirst() }
        if isEnd { inner = inner.dropLast() }
        guard !inner.contains(#/[|^$]/#) || !isStart && !isEnd && !inner.contains(#/[$^]/#) else {
            throw Unsaid("an expression with anchors on each value of a list")
        }
        let first = isStart ? before : isNamed ? before + filler : ""
        return first.isEmpty && !isEnd ? String(inner) : first + "(?:\(inner))" + (isEnd ? after : "")
    }
}
