#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// The additions of rules to the answer of an upstream, or to one of the gateway's own.
struct RuleAdditions {
    /// The lines of some headers.
    private struct Lines {
        var bytes = ByteBuffer()
        /// True if there is a date among them.
        var hasDate = false
        /// The values of ETag and Last-Modified that take the place of the answer's own: empty for none, nil where its own stay.
        var tag: [UInt8]?
        var change: [UInt8]?

        mutating func add(_ name: Span<UInt8>, _ value: Span<UInt8>) {
            guard !Decision.Answer.isFraming(name) else { return }
            switch name.count {
            case 4 where name.isSameHeader(as: "date"): hasDate = true
            case 4 where name.isSameHeader(as: "etag"):
                tag = Array(copying: value)
                return
            case 13 where name.isSameHeader(as: "last-modified"):
                change = Array(copying: value)
                return
            default: break
            }
            bytes.writeHeader(name, value)
        }
    }

    /// The status in place of the answer's own; nil where it stays.
    private(set) var status: HTTPResponseStatus?
    /// The lines of earlier answers of upstreams, which come first.
    private var keptLines = ByteBuffer()
    /// Those of them in whose place an expiry is.
    private var keptFreshness = ByteBuffer()
    /// The type of an earlier one, for an answer that has none.
    private(set) var keptType: [UInt8]?
    private var lines = Lines()
    /// Those for the usual statuses only.
    private var usualLines = Lines()
    /// The time that an answer with a usual status may be kept.
    private var expiry: Expiry?
    /// The character set that the type of an upstream's answer gets.
    private(set) var charset: AnswerCharset?
    /// True if an answer without a length comes in chunks; else the connection ends it.
    private(set) var sendsChunks = true
    /// True if they depend on the answer that they are added to.
    private(set) var awaitsAnswer = false

    init() {}

    init(_ decision: borrowing DecisionView) {
        status = Self.status(of: decision)
        expiry = decision.expiry
        charset = decision.charset
        awaitsAnswer = decision.awaitsAnswer
        sendsChunks = decision.sendsChunks
        var (keptLines, keptFreshness) = (ByteBuffer(), ByteBuffer())
        decision.withKeptHeaders {
            if $0.isSameHeader(as: "cache-control") || $0.isSameHeader(as: "expires") {
                keptFreshness.writeHeader($0, $1)
            } else {
                keptLines.writeHeader($0, $1)
            }
        }
        (self.keptLines, self.keptFreshness) = (keptLines, keptFreshness)
        keptType = decision.keptType
        var lines = Lines()
        decision.withHeaders { lines.add($0, $1) }
        self.lines = lines
        var usualLines = Lines()
        decision.withSuccessHeaders { usualLines.add($0, $1) }
        self.usualLines = usualLines
    }

    /// Writes the headers of earlier answers that one with a status has, too.
    func writeKept(for status: HTTPResponseStatus, to output: inout ByteBuffer) {
        output.writeImmutableBuffer(keptLines)
        if expiry(for: status) == nil { output.writeImmutableBuffer(keptFreshness) }
    }

    /// The status that rules set for the answer of another program.
    static func status(of decision: borrowing DecisionView) -> HTTPResponseStatus? {
        // A status below 200 cannot end an exchange.
        guard let code = decision.status, (200...999).contains(code) else { return nil }
        return HTTPResponseStatus(statusCode: code)
    }

    /// Writes the headers for an answer with a status.
    ///
    /// - Returns: Whether there is a date among them.
    func write(for status: HTTPResponseStatus, to output: inout ByteBuffer) -> Bool {
        output.writeImmutableBuffer(lines.bytes)
        if let tag = tag(for: status), !tag.isEmpty { output.writeHeader("ETag", tag.span) }
        if let change = change(for: status), !change.isEmpty {
            output.writeHeader("Last-Modified", change.span)
        }
        guard Decision.Forward.isUsual(Int(status.code)) else { return lines.hasDate }
        output.writeImmutableBuffer(usualLines.bytes)
        return lines.hasDate || usualLines.hasDate
    }

    /// The ETag and the time of the last change of an answer with the status 200; nil where it keeps its own.
    var state: (tag: [UInt8]?, change: [UInt8]?) { (tag(for: .ok), change(for: .ok)) }

    /// The ETag of an answer with a status; nil where it keeps its own.
    private func tag(for status: HTTPResponseStatus) -> [UInt8]? {
        (Decision.Forward.isUsual(Int(status.code)) ? usualLines.tag : nil) ?? lines.tag
    }

    /// The same for Last-Modified.
    private func change(for status: HTTPResponseStatus) -> [UInt8]? {
        (Decision.Forward.isUsual(Int(status.code)) ? usualLines.change : nil) ?? lines.change
    }

    /// Returns true if an answer with a status loses its own header of this name.
    func replaces(_ name: Span<UInt8>, for status: HTTPResponseStatus) -> Bool {
        let isUsual = Decision.Forward.isUsual(Int(status.code))
        return switch name.count {
        case 4: name.isSameHeader(as: "etag") && tag(for: status) != nil
        case 7: isUsual && expiry != nil && name.isSameHeader(as: "expires")
        case 13:
            isUsual && expiry != nil && name.isSameHeader(as: "cache-control")
                || name.isSameHeader(as: "last-modified") && change(for: status) != nil
        default: false
        }
    }

    /// The time that an answer with a status may be kept; nil if its own headers have that.
    func expiry(for status: HTTPResponseStatus) -> Expiry? {
        Decision.Forward.isUsual(Int(status.code)) ? expiry : nil
    }

    /// The headers for an answer with a status, as text for one who adds to them.
    static func headers(_ decision: borrowing DecisionView, for status: HTTPResponseStatus) -> HTTPHeaders {
        var headers = HTTPHeaders()
        decision.withHeaders { add($0, $1, to: &headers) }
        if Decision.Forward.isUsual(Int(status.code)) {
            decision.withSuccessHeaders { add($0, $1, to: &headers) }
        }
        return headers
    }

    /// Those of earlier answers of upstreams, for a page: it has no ranges.
    static func keptHeaders(_ decision: borrowing DecisionView) -> HTTPHeaders {
        var headers = HTTPHeaders()
        decision.withKeptHeaders { add($0, $1, to: &headers) }
        headers.remove(name: "Accept-Ranges")
        return headers
    }

    private static func add(_ name: Span<UInt8>, _ value: Span<UInt8>, to headers: inout HTTPHeaders) {
        if !Decision.Answer.isFraming(name), !value.isEmpty {
            headers.add(name: String(repairing: name), value: String(repairing: value))
        }
    }
}
#endif
