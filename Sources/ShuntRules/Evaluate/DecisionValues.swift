import ShuntCore
import ShuntRouting

/// The values of a decision, one behind another in one array.
///
/// They always stand in the same order, so that the bytes are the same where all values are.
struct DecisionValues: Sendable, Hashable {
    // Where the values are; one that the decision does not have is `missing`.
    private(set) var url = Self.missing
    private(set) var uri = Self.missing
    private(set) var arguments = Self.missing
    private(set) var body = Self.missing
    private(set) var server = Self.missing
    private(set) var location = Self.missing
    private(set) var reason = Self.missing
    // A header is the lengths of its name and its value, and then these.
    private(set) var headers = ByteRange.empty
    private(set) var successHeaders = ByteRange.empty
    private(set) var upstreamHeaders = ByteRange.empty
    /// Where the parameters of the route have their values in the URL, two numbers each.
    private(set) var routeValues = ByteRange.empty
    private var bytes: [UInt8] = []

    private static var missing: ByteRange { ByteRange(start: -1, end: -1) }

    // MARK: Packing

    /// Copies the values of an outcome out of the evaluation that came to it.
    @inline(__always)
    init(_ outcome: Outcome, of evaluation: borrowing Evaluation) {
        let reason = evaluation.reason(outcome)
        let location = outcome.location.isNone ? nil : evaluation.program.tables.locations[outcome.location].text
        let valueCount = outcome.route == nil ? 0 : evaluation.memory.routeScratch.foundValueCount
        let hasHeaders = evaluation.answer.hasHeaders(of: outcome)

        var size = valueCount * ByteWriter.pairSize
        if outcome.hasURL { size += outcome.url.count }
        if outcome.hasURI { size += outcome.uri.count + outcome.arguments.count }
        if outcome.hasBody { size += outcome.body.count }
        if !outcome.server.isNone { size += evaluation.program.tables.servers[outcome.server].name.count }
        if let location { size += location.utf8.count }
        if let reason { size += reason.utf8.count }
        if hasHeaders {
            size += Self.size(of: evaluation.answer.headers) + Self.size(of: evaluation.answer.successHeaders)
            if outcome.isUpstream { size += Self.size(of: evaluation.answer.upstreamHeaders) }
        }
        bytes = Array(capacity: size) { writer in
            if outcome.hasURL { url = writer.append(outcome.url, of: evaluation.arena) }
            if outcome.hasURI {
                uri = writer.append(outcome.uri, of: evaluation.arena)
                arguments = writer.append(outcome.arguments, of: evaluation.arena)
            }
            if outcome.hasBody { body = writer.append(outcome.body, of: evaluation.arena) }
            if !outcome.server.isNone {
                server = writer.append(evaluation.program.tables.servers[outcome.server].name)
            }
            if let location { self.location = writer.append(location) }
            if let reason { self.reason = writer.append(reason) }
            if hasHeaders {
                headers = writer.append(evaluation.answer.headers, of: evaluation.arena)
                successHeaders = writer.append(evaluation.answer.successHeaders, of: evaluation.arena)
                if outcome.isUpstream {
                    upstreamHeaders = writer.append(evaluation.answer.upstreamHeaders, of: evaluation.arena)
                }
            }
            if valueCount > 0 { routeValues = writer.append(valuesIn: evaluation.memory.routeScratch) }
        }
    }

    /// Packs values that come from elsewhere.
    init(
        url: [UInt8]? = nil,
        uri: [UInt8]? = nil,
        arguments: [UInt8]? = nil,
        body: [UInt8]? = nil,
        reason: [UInt8]? = nil,
        headers: [RuleRequest.Header] = [],
        successHeaders: [RuleRequest.Header] = [],
        upstreamHeaders: [RuleRequest.Header] = []
    ) {
        self.url = append(url)
        self.uri = append(uri)
        self.arguments = append(arguments)
        self.body = append(body)
        self.reason = append(reason)
        self.headers = append(headers)
        self.successHeaders = append(successHeaders)
        self.upstreamHeaders = append(upstreamHeaders)
    }

    private mutating func append(_ value: [UInt8]?) -> ByteRange {
        guard let value else { return Self.missing }
        let start = bytes.count
        bytes += value
        return ByteRange(start, bytes.count)
    }

    private mutating func append(_ headers: [RuleRequest.Header]) -> ByteRange {
        let start = bytes.count
        for header in headers {
            bytes += [UInt8](capacity: ByteWriter.pairSize) { $0.append(header.name.count, header.value.count) }
            bytes += header.name + header.value
        }
        return ByteRange(start, bytes.count)
    }

    private static func size(of headers: [Answer.Header]) -> Int {
        headers.reduce(0) { $0 + ByteWriter.pairSize + $1.name.count + $1.value.count }
    }

    // MARK: Reading

    /// A copy of a value; nil for one that is missing.
    func bytes(_ range: ByteRange) -> [UInt8]? {
        range.start < 0 ? nil : Array(bytes[range.indices])
    }

    /// A value as text; nil for one that is missing.
    func text(_ range: ByteRange) -> String? {
        range.start < 0 ? nil : String(decoding: bytes[range.indices], as: UTF8.self)
    }

    /// The headers that were packed into a range.
    func headers(_ range: ByteRange) -> [RuleRequest.Header] {
        var headers: [RuleRequest.Header] = []
        var place = Int(range.start)
        while place < Int(range.end) {
            let value = place + ByteWriter.pairSize + number(at: place)
            let end = value + number(at: place + ByteWriter.pairSize / 2)
            headers.append(
                RuleRequest.Header(
                    name: Array(bytes[place + ByteWriter.pairSize..<value]),
                    value: Array(bytes[value..<end])
                )
            )
            place = end
        }
        return headers
    }

    /// Where the parameters of the route have their values in the URL; one that is missing begins below 0.
    var valueRanges: [ByteRange] {
        stride(from: Int(routeValues.start), to: Int(routeValues.end), by: ByteWriter.pairSize)
            .map { ByteRange(number(at: $0), number(at: $0 + ByteWriter.pairSize / 2)) }
    }

    /// The number that the four bytes at a place are.
    private func number(at place: Int) -> Int {
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
        return Int(Int32(bitPattern: bits))
    }
}

extension ByteWriter {
    /// The bytes of two numbers.
    fileprivate static var pairSize: Int { 2 * MemoryLayout<Int32>.size }

    /// Writes two numbers of less than 2^31.
    fileprivate mutating func append(_ first: Int, _ second: Int) {
        append(Int32(truncatingIfNeeded: first))
        append(Int32(truncatingIfNeeded: second))
    }

    /// Writes headers whose values are in an arena, and tells where they are.
    fileprivate mutating func append(_ headers: [Answer.Header], of arena: ByteArena) -> ByteRange {
        let start = count
        for header in headers {
            append(header.name.count, header.value.count)
            append(header.name)
            _ = append(header.value, of: arena)
        }
        return ByteRange(start, count)
    }

    /// Writes where the values of the route that a scratch found last are, and tells where that is written.
    fileprivate mutating func append(valuesIn scratch: RouteScratch) -> ByteRange {
        let start = count
        for slot in 0..<scratch.foundValueCount {
            let range = scratch.value(slot) ?? RouteScratch.missing
            append(Int(range.start), Int(range.end))
        }
        return ByteRange(start, count)
    }
}
