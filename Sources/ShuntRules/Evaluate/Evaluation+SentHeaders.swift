import ShuntCore

/// The headers of an answer as variables.
extension Evaluation {
    /// The value of a variable of the family `sent_http_`: of a header of the answer that is passed on, or is being made; else empty.
    ///
    /// As in nginx it is the first header with the name, and a character set is not yet part of the type.
    mutating func sentValue(_ variable: VariableIndex) throws(EvaluationFailure) -> ByteRange {
        answer.readsAnswer = true
        guard program.tables.variables[variable].name.hasPrefix("sent_http_") else { return .empty }
        let name = Array(program.tables.constants[program.tables.variables[variable].parameter.indices])
        let added = (answer.headers + answer.successHeaders).first { Self.isNamed($0.name, name) }
        let given = server.isQuestion ? earlier.current.last?.headers : earlier.passed?.sent
        let sent = given?.first { Self.isNamed($0.nameBytes, name) }
        let isPassed = answer.outcome.action == .forward
        switch name {
        // A page of the gateway has headers, and its answer none.
        case Self.typeVariable
        where isPassed && earlier.passed.map { $0.answer.isOfUpstream || $0.answer.headers.isEmpty } ?? true: break
        case Self.typeVariable where sent != nil || !isPassed && added != nil: return try plainType()
        // Maps over it are written for the pages of nginx, and choose times and policies.
        case Self.typeVariable where !isPassed && isPageOfStatus: return try text("text/html")
        // As in nginx an answer of a rule has a type even where it has no body.
        case Self.typeVariable where !isPassed && answer.responseStatus < 300: return try plainType()
        case Self.changeVariable, Self.tagVariable: if let added { return added.value }
        case Self.expiresVariable, Self.cacheVariable:
            if let value = try expiryValue(name == Self.cacheVariable, isPassed ? given ?? [] : []) { return value }
        case Self.lengthVariable where !isPassed && (answer.outcome.hasBody || answer.outcome.isBodyWithheld):
            return try append(Array("\(answer.outcome.body.count)".utf8))
        // As in nginx a path has no host yet.
        case Self.locationVariable where answer.hasLocation && !isPassed: return try safeHeaderValue(answer.location)
        default: break
        }
        guard name == Self.cacheVariable || name == Self.linkVariable else {
            return try sent.map { header throws(EvaluationFailure) in try append(header.valueBytes) } ?? added?.value
                ?? .empty
        }
        let mark = arena.mark
        for header in given ?? [] where Self.isNamed(header.nameBytes, name) {
            appendListed(header.valueBytes, from: mark)
        }
        for header in answer.headers + answer.successHeaders where Self.isNamed(header.name, name) {
            appendListed(arena.array(header.value), from: mark)
        }
        return try made(from: mark)
    }

    /// True if the answer is a status with a line of text, which the gateway writes, and no body of a rule.
    private var isPageOfStatus: Bool {
        let status = answer.errorStatus != 0 ? answer.errorStatus : answer.responseStatus
        return !answer.outcome.hasBody && !answer.outcome.isBodyWithheld && status >= 300 && status != 304
    }

    /// Adds a value to the list that begins at `mark`.
    private func appendListed(_ value: [UInt8], from mark: Int) {
        if arena.mark > mark { arena.append(", ") }
        arena.append(value)
    }

    /// The value of Expires or Cache-Control that an `expires` adds to an answer; nil without one.
    private mutating func expiryValue(
        _ isCache: Bool,
        _ given: [RuleRequest.Header]
    ) throws(EvaluationFailure) -> ByteRange? {
        let status = answer.errorStatus != 0 ? answer.errorStatus : answer.responseStatus
        let isUsual = answer.outcome.action != .forward || Decision.Forward.isUsual(Int(status))
        guard isUsual, let expiry = answer.expiry else { return nil }
        let change = expiry.isAfterChange ? given.first { Self.isNamed($0.nameBytes, Self.changeVariable) } : nil
        let headers = expiry.headers(modified: change.flatMap { HTTPTime.seconds($0.valueBytes) }, at: request.time())
        return try append(Array((isCache ? headers.cacheControl : headers.expires).utf8))
    }

    private static let typeVariable = Array("content_type".utf8)
    private static let changeVariable = Array("last_modified".utf8)
    private static let tagVariable = Array("etag".utf8)
    private static let lengthVariable = Array("content_length".utf8)
    private static let expiresVariable = Array("expires".utf8)
    private static let cacheVariable = Array("cache_control".utf8)
    private static let linkVariable = Array("link".utf8)
    private static let locationVariable = Array("location".utf8)

    /// Returns true if a header has the name that a variable writes with underscores.
    static func isNamed(_ header: [UInt8], _ variable: [UInt8]) -> Bool {
        header.lazy.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0.asciiLowercased }.elementsEqual(variable)
    }
}
