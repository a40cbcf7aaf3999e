/// The outcome that a case requires for a request.
package struct Expectation: Sendable, Hashable {
    package var kind: RequestOutcome.Kind
    /// The place where a forwarded request must go; nil if any will do.
    package var destination: RequestOutcome.Destination?
    /// Headers that must be there with these values, in this order for equal names.
    package var headers: [HeaderLine] = []
    /// Names of headers that must not be there.
    package var absentHeaders: [[UInt8]] = []

    package init(
        kind: RequestOutcome.Kind,
        destination: RequestOutcome.Destination? = nil,
        headers: [HeaderLine] = [],
        absentHeaders: [[UInt8]] = []
    ) {
        self.kind = kind
        self.destination = destination
        self.headers = headers
        self.absentHeaders = absentHeaders
    }

    /// The reason why `outcome` is not what was expected; nil when it is.
    package func difference(from outcome: RequestOutcome) -> String? {
        var matches = outcome.kind == kind
        if case .response(let status, let location, let body) = kind,
            case .response(let otherStatus, let otherLocation, let otherBody) = outcome.kind
        {
            // A built-in page has no promised text, and an empty body is the same as none.
            let sameBody = body == nil || (body ?? []) == (otherBody ?? [])
            matches = status == otherStatus && location == otherLocation && sameBody
        }
        var got = Expectation(kind: outcome.kind)
        got.destination = outcome.destination
        if let destination, destination != outcome.destination { matches = false }
        if !matches { return "expected \(Expectation(kind: kind, destination: destination)), got \(got)" }
        for name in Set(headers.map { $0.name.lowercasedASCII }) {
            let wanted = headers.filter { $0.name.lowercasedASCII == name }.map(\.value)
            let found = outcome.headers.filter { $0.name.lowercasedASCII == name }.map(\.value)
            if wanted != found {
                return "expected header \(ByteText.show(name)) \(wanted.map(ByteText.show)), "
                    + "got \(found.map(ByteText.show))"
            }
        }
        for name in absentHeaders
        where outcome.headers.contains(where: {
            $0.name.lowercasedASCII == name.lowercasedASCII
        }) {
            return "header \(ByteText.show(name)) must not be there"
        }
        return nil
    }
}

/// One request of a case file and its required outcome.
package struct RequestCase: Sendable {
    package var request: OracleRequest
    /// The line of the request in its file, from 1.
    package var line: Int
    /// nil until it is recorded.
    package var expectation: Expectation?
    /// The expectation for Shunt instead, on purpose.
    package var shuntExpectation: Expectation?
    /// Header names a person wrote below a `>` for the recorder to fill in.
    package var askedHeaders: [[UInt8]] = []
    /// The lines of the expectation, from `>` on; empty when there is none.
    package var expectationLines: Range<Int>
}

/// That a rule set is refused: the line within the rules, and the core of the message.
package struct Refusal: Sendable, Hashable {
    package var line: Int?
    package var message: String

    package init(line: Int?, message: String) {
        self.line = line
        self.message = message
    }
}

/// A file or folder that a rule set needs.
package struct SupportFile: Sendable, Hashable {
    package enum Kind: String, Sendable {
        /// A file below the document root.
        case file
        /// A folder there.
        case folder = "dir"
        /// A file next to the configuration, for `include`.
        case configuration = "config"
    }

    package var kind: Kind
    package var path: String
    package var content: [UInt8] = []

    package init(kind: Kind, path: String, content: [UInt8] = []) {
        self.kind = kind
        self.path = path
        self.content = content
    }
}

/// One rule set of a case file with its requests.
package struct RuleSetCase: Sendable {
    package var name: String
    package var file: String
    /// The line of `=== name`, from 1.
    ///
    /// The rules begin on the next one.
    package var line: Int
    package var rules: [UInt8]
    /// The line of the `---` that ends the rules.
    package var separatorLine: Int
    package var requests: [RequestCase]
    package var files: [SupportFile] = []
    /// Set when the rules must be refused; there are no requests then.
    package var refusal: Refusal?
    /// The line of `! message`, 0 when there is none.
    package var refusalLine = 0

    /// True if the installed nginx can be asked.
    ///
    /// It cannot about what only newer ones do, and about clients at other addresses.
    package var concernsNginx: Bool { !name.hasPrefix("current:") && !name.hasPrefix("shunt-only:") }

    /// `file:line` of the rule set.
    package var place: String { "\(file):\(line)" }
}
