#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// The answer with a file: the head, and what follows it.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_core_module.html
struct FileAnswer: Sendable {
    enum Piece {
        case bytes(ByteBuffer)
        case part(Range<Int>)
    }

    struct Request: Sendable {
        let fields: HeaderFields
        let isHead: Bool
        /// The status of an `error_page`; 200 without one.
        let status: Int
        /// A number for the border between parts.
        let number: Int
        /// The values of ETag and Last-Modified that rules set for a whole file; nil where it keeps its own.
        let added: (tag: [UInt8]?, change: [UInt8]?)
    }

    let head: ResponseHead
    /// The headers that rules see: those of the whole file.
    let sent: [RuleRequest.Header]
    let pieces: [Piece]
    /// The number of bytes after the head.
    let length: Int

    /// - Parameters:
    ///   - file: The file.
    ///   - attributes: Its size and time.
    ///   - request: What it answers.
    /// - Throws: If the request is for another state of the file, or for parts that it does not have.
    init(_ file: ServedFile, _ attributes: FileAttributes, to request: Request) throws(IncomingRequest.Refusal) {
        let seconds = attributes.modificationTime.seconds
        let size = attributes.size
        let tag = file.sendsTag ? Array("\"\(String(seconds, radix: 16))-\(String(size, radix: 16))\"".utf8) : nil
        var fields = HeaderFields()
        var pieces: [Piece] = []
        var status = HTTPResponseStatus(statusCode: request.status)
        var type: [UInt8] = file.type
        if request.status == 200 {
            let conditions = RequestConditions(fields: request.fields, tag: tag, modified: seconds)
            if conditions.fail {
                throw IncomingRequest.Refusal("the file is another one", status: .preconditionFailed)
            }
            if conditions.hold(file.modified) {
                status = .notModified
            } else if file.maximumRanges > 0 {
                let (ownTag, change) = request.added
                let state = RequestConditions(
                    fields: request.fields,
                    tag: ownTag ?? tag,
                    modified: change.map { HTTPTime.seconds($0) } ?? seconds
                )
                let value = state.allowRanges ? conditions.value("range") : nil
                switch FileRanges(value, size: size, limit: file.maximumRanges) {
                case .whole: fields.add("Accept-Ranges", "bytes".utf8)
                case .unsatisfiable:
                    var refusal = IncomingRequest.Refusal("no such part of the file", status: .rangeNotSatisfiable)
                    refusal.contentRange = "bytes */\(size)"
                    throw refusal
                case .parts(let parts):
                    status = .partialContent
                    if parts.count == 1, let part = parts.first {
                        fields.add("Content-Range", Self.contentRange(part, size).utf8)
                        pieces = [.part(part)]
                    } else {
                        let border = String(request.number).paddedWithZeros(to: 20)
                        pieces = Self.pieces(parts, of: size, type: type, border: border)
                        type = Array("multipart/byteranges; boundary=\(border)".utf8)
                    }
                }
            }
        }
        if pieces.isEmpty, size > 0 { pieces = [.part(0..<size)] }
        let hasType = status.mayHaveResponseBody && !type.isEmpty
        if hasType { fields.add("Content-Type", type) }
        var known = HeaderFields()
        if hasType { known.add("Content-Type", file.type) }
        if request.status == 200 {
            let change = Timestamp(seconds: seconds).httpDate.utf8
            fields.add("Last-Modified", change)
            known.add("Last-Modified", change)
        }
        if let tag {
            fields.add("ETag", tag)
            known.add("ETag", tag)
        }
        if status != .notModified { known.add("Content-Length", String(size).utf8) }
        sent = known.headers
        length = pieces.reduce(0) { $0 + $1.length }
        let isBodiless = request.isHead || length == 0 || !status.mayHaveResponseBody
        self.pieces = isBodiless ? [] : pieces
        head = ResponseHead(
            status: status,
            fields: fields,
            body: isBodiless ? .none : .length(length),
            length: status == .notModified ? nil : length
        )
    }

    private static func contentRange(_ part: Range<Int>, _ size: Int) -> String {
        "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
    }

    private static func pieces(_ parts: [Range<Int>], of size: Int, type: [UInt8], border: String) -> [Piece] {
        var pieces: [Piece] = []
        for part in parts {
            var head = ByteBuffer(string: "\r\n--\(border)\r\n")
            if !type.isEmpty { head.writeHeader("Content-Type", type.span) }
            head.writeString("Content-Range: \(contentRange(part, size))\r\n\r\n")
            pieces += [.bytes(head), .part(part)]
        }
        return pieces + [.bytes(ByteBuffer(string: "\r\n--\(border)--\r\n"))]
    }
}

extension FileAnswer.Piece {
    var length: Int {
        switch self {
        case .bytes(let bytes): bytes.readableBytes
        case .part(let part): part.count
        }
    }
}
#endif
