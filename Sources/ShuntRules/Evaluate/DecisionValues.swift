import ShuntCore
import ShuntRouting

/// Writing the values of a decision.
extension DecisionStorage {
    @inline(__always)
    init(of evaluation: borrowing Evaluation) {
        self = evaluation.isPlainForward ? DecisionStorage(plain: evaluation) : DecisionStorage(any: evaluation)
    }

    /// Copies the outcome of a request that continues with only its URL, a path and arguments.
    @inline(__always)
    private init(plain evaluation: borrowing Evaluation) {
        self.init(
            capacity: evaluation.sizeOfURL(isForwarded: true),
            write: { evaluation.writeURL(isForwarded: true, to: &$0, &$1) },
            parts: { evaluation.parts }
        )
    }

    @inline(never)
    private init(any evaluation: borrowing Evaluation) {
        let reason = evaluation.reason
        self.init(
            capacity: evaluation.size(reason),
            write: { evaluation.writeValues(reason, to: &$0, &$1) },
            parts: { evaluation.parts }
        )
    }

    /// Copies the outcome of an evaluation over another outcome; false if someone else has it, or it is too small.
    @inline(__always)
    mutating func rewrite(of evaluation: borrowing Evaluation) -> Bool {
        evaluation.isPlainForward ? rewrite(plain: evaluation) : rewrite(any: evaluation)
    }

    @inline(__always)
    private mutating func rewrite(plain evaluation: borrowing Evaluation) -> Bool {
        rewrite(
            capacity: evaluation.sizeOfURL(isForwarded: true),
            write: { evaluation.writeURL(isForwarded: true, to: &$0, &$1) },
            change: { evaluation.change(&$0) }
        )
    }

    @inline(never)
    private mutating func rewrite(any evaluation: borrowing Evaluation) -> Bool {
        let reason = evaluation.reason
        return rewrite(
            capacity: evaluation.size(reason),
            write: { evaluation.writeValues(reason, to: &$0, &$1) },
            change: { evaluation.change(&$0) }
        )
    }

    /// Packs values that come from elsewhere.
    init(
        _ parts: DecisionParts,
        url: [UInt8]? = nil,
        target: [UInt8]? = nil,
        authority: [UInt8]? = nil,
        uri: [UInt8]? = nil,
        arguments: [UInt8]? = nil,
        body: [UInt8]? = nil,
        reason: [UInt8]? = nil,
        headers: [RuleRequest.Header] = [],
        successHeaders: [RuleRequest.Header] = [],
        upstreamHeaders: [RuleRequest.Header] = []
    ) {
        var capacity = 0
        for value in [url, target, authority, uri, arguments, body, reason] { capacity += value?.count ?? 0 }
        for header in headers + successHeaders + upstreamHeaders {
            capacity += ByteWriter.pairSize + header.nameBytes.count + header.valueBytes.count
        }
        self.init(
            capacity: capacity,
            write: { writer, places in
                if let url { places.url = writer.append(url) }
                if let target { places.target = writer.append(target) }
                if let authority { places.authority = writer.append(authority) }
                if let uri { places.uri = writer.append(uri) }
                if let arguments { places.arguments = writer.append(arguments) }
                if let body { places.body = writer.append(body) }
                if let reason { places.reason = writer.append(reason) }
                places.headers = writer.append(headers)
                places.successHeaders = writer.append(successHeaders)
                places.upstreamHeaders = writer.append(upstreamHeaders)
            },
            parts: { parts }
        )
    }
}

extension Evaluation {
    /// True if the outcome is a request that continues with only its URL, a path and arguments.
    fileprivate var isPlainForward: Bool {
        @inline(__always)
        get {
            answer.outcome.isForwarded && answer.outcome.route == nil && answer.outcome.targetApart == nil
                && !answer.hasHeaders && !namesEntries
        }
    }

    @inline(__always)
    fileprivate func sizeOfURL(isForwarded: Bool) -> Int {
        var size = isForwarded || answer.outcome.hasURL ? answer.outcome.url.count : 0
        guard isForwarded || answer.outcome.hasURI else { return size }
        if !answer.outcome.hasPathInURL(isForwarded: isForwarded) { size &+= answer.outcome.uri.count }
        return size &+ answer.outcome.arguments.count
    }

    /// Writes the URL, the path and the arguments, and notes where they are.
    @inline(__always)
    fileprivate func writeURL(isForwarded: Bool, to writer: inout ByteWriter, _ places: inout DecisionPlaces) {
        if isForwarded || answer.outcome.hasURL { places.url = writer.append(answer.outcome.url, of: arena) }
        guard isForwarded || answer.outcome.hasURI else { return }
        if isForwarded {
            // The URL is first.
            places.target = answer.outcome.targetInURL
            if let authority = answer.outcome.authorityInURL { places.authority = authority }
        }
        places.uri =
            answer.outcome.hasPathInURL(isForwarded: isForwarded)
            ? answer.outcome.uri.moved(by: 0 &- answer.outcome.url.start)
            : writer.append(answer.outcome.uri, of: arena)
        places.arguments =
            answer.outcome.arguments.isEmpty ? .empty : writer.append(answer.outcome.arguments, of: arena)
    }

    /// Returns the most bytes that `writeValues` writes.
    fileprivate func size(_ reason: String?) -> Int {
        var size = sizeOfURL(isForwarded: answer.outcome.isForwarded) + (reason?.utf8.count ?? 0)
        if answer.outcome.hasBody { size += answer.outcome.body.count }
        if answer.hasHeaders { size += answer.sizeOfHeaders }
        if let target = answer.outcome.targetApart { size += target.count }
        return size + valueCount * ByteWriter.pairSize + values.entries.count * ByteWriter.entrySize
    }

    private var valueCount: Int { answer.outcome.route == nil ? 0 : memory.routeScratch.foundValueCount }

    fileprivate func writeValues(_ reason: String?, to writer: inout ByteWriter, _ places: inout DecisionPlaces) {
        let isForwarded = answer.outcome.isForwarded
        writeURL(isForwarded: isForwarded, to: &writer, &places)
        if isForwarded, let target = answer.outcome.targetApart {
            places.target = target.start < 0 ? target : writer.append(target, of: arena)
        }
        if answer.outcome.hasBody { places.body = writer.append(answer.outcome.body, of: arena) }
        if let reason { places.reason = writer.append(reason) }
        if answer.hasHeaders { answer.write(&writer, &places, of: arena) }
        if valueCount > 0 { places.routeValues = writer.append(valuesIn: memory.routeScratch) }
        if !values.entries.isEmpty { places.entries = writer.append(values.entries) }
    }

    fileprivate var parts: DecisionParts {
        @inline(__always)
        get {
            var parts = DecisionParts(kind: answer.outcome.action, names: program.names)
            change(&parts)
            return parts
        }
    }

    /// Changes what a decision of the same program consists of, but for its places, to what this outcome does.
    @inline(__always)
    fileprivate func change(_ parts: inout DecisionParts) {
        parts.kind = answer.outcome.action
        parts.isUpstream = answer.outcome.isUpstream
        parts.status = answer.outcome.shownStatus
        parts.position = answer.outcome.position
        parts.server = answer.outcome.server
        parts.location = answer.outcome.location
        if answer.outcome.route != nil || parts.found != nil { changeRoute(&parts.found) }
    }

    /// Changes the route; its table stays, for counting references takes as long as the rest.
    @inline(never)
    private func changeRoute(_ route: inout DecisionRoute?) {
        guard route != nil, let lookup = answer.outcome.route, let table = program.routeTable else {
            route = found
            return
        }
        route?.lookup = lookup
        route?.parts = answer.outcome.parts
        route?.methods = table.with { routeMethods($0) }
    }
}

extension Outcome {
    /// Returns true if the path is a part of the URL, as it is where no rule changed it.
    @inline(__always)
    fileprivate func hasPathInURL(isForwarded: Bool) -> Bool {
        (isForwarded || hasURL) && uri.start >= url.start && uri.end <= url.end
    }
}

extension RuleAnswer {
    /// The headers that belong to the outcome, kept apart by when they count.
    private var upstreamHeadersOfOutcome: [Header] { outcome.isUpstream ? upstreamHeaders : [] }

    /// True if there are headers that belong to the outcome.
    fileprivate var hasHeaders: Bool {
        @inline(__always)
        get { !headers.isEmpty || !successHeaders.isEmpty || outcome.isUpstream && !upstreamHeaders.isEmpty }
    }

    fileprivate var sizeOfHeaders: Int {
        get {
            (headers + successHeaders + upstreamHeadersOfOutcome)
                .reduce(0) { $0 + ByteWriter.pairSize + $1.name.count + $1.value.count }
        }
    }

    fileprivate func write(_ writer: inout ByteWriter, _ places: inout DecisionPlaces, of arena: ByteArena) {
        places.headers = writer.append(headers, of: arena)
        places.successHeaders = writer.append(successHeaders, of: arena)
        places.upstreamHeaders = writer.append(upstreamHeadersOfOutcome, of: arena)
    }
}

extension DecisionStorage {
    /// A copy of a value; nil for one that is missing.
    func bytes(_ place: ByteRange) -> [UInt8]? { withBytes(place) { Array(copying: $0) } }

    /// A value as text; nil for one that is missing.
    func text(_ place: ByteRange) -> String? { withBytes(place) { String(repairing: $0) } }

    /// The headers that were packed into a place.
    func headers(_ place: ByteRange) -> [RuleRequest.Header] {
        var headers: [RuleRequest.Header] = []
        let bytes = bytes(place) ?? []
        var start = 0
        while start < bytes.count {
            let value = start + ByteWriter.pairSize + bytes.number(at: start)
            let end = value + bytes.number(at: start + ByteWriter.pairSize / 2)
            headers.append(
                RuleRequest.Header(
                    name: Array(bytes[start + ByteWriter.pairSize..<value]),
                    value: Array(bytes[value..<end])
                )
            )
            start = end
        }
        return headers
    }

    /// The place where the parameters of the route have their values in the URL; one that is missing begins below 0.
    var routeValues: [ByteRange] {
        let bytes = bytes(with { $0.places.routeValues }) ?? []
        return stride(from: 0, to: bytes.count, by: ByteWriter.pairSize)
            .map { ByteRange(bytes.number(at: $0), bytes.number(at: $0 + ByteWriter.pairSize / 2)) }
    }

    /// Returns true if both have the same values, wherever they have them.
    func hasSameValues(as other: DecisionStorage) -> Bool {
        let mine = with { $0.places.all }
        let others = other.with { $0.places.all }
        return zip(mine, others).allSatisfy { bytes($0) == other.bytes($1) }
    }

    func hashValues(into hasher: inout Hasher) {
        for place in with({ $0.places.all }) { hasher.combine(bytes(place)) }
    }
}

extension [UInt8] {
    /// The number that the four bytes at a place are.
    func number(at place: Int) -> Int {
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(self[place + $1]) << UInt32(8 * $1) }
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

    fileprivate mutating func append(_ headers: [RuleRequest.Header]) -> ByteRange {
        let start = count
        for header in headers {
            append(header.nameBytes.count, header.valueBytes.count)
            append(header.nameBytes)
            append(header.valueBytes)
        }
        return ByteRange(start, count)
    }

    /// Writes headers whose values are in an arena, and returns where they are.
    fileprivate mutating func append(_ headers: [RuleAnswer.Header], of arena: ByteArena) -> ByteRange {
        let start = count
        for header in headers {
            append(header.name.count, header.value.count)
            append(header.name)
            _ = append(header.value, of: arena)
        }
        return ByteRange(start, count)
    }

    /// Writes where the values of the route that a scratch found last are, and returns where that is written.
    fileprivate mutating func append(valuesIn scratch: RouteScratch) -> ByteRange {
        let start = count
        for slot in 0..<scratch.foundValueCount {
            let range = scratch.value(slot) ?? RouteScratch.missing
            append(Int(range.start), Int(range.end))
        }
        return ByteRange(start, count)
    }
}
