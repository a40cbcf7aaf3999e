#if Gateway
import NIOCore
import NIOHTTP1
import NIOPosix
import ShuntRules

/// The file's end of one exchange: has it opened and read by threads that may wait for a disk, and hands on what the client takes.
///
/// A client that is slow holds one part of a file. Without TLS the system sends the parts from the file itself. Used on one event loop
/// only.
final class FileExchange {
    let interception: Interception
    let file: ServedFile
    private let request: FileAnswer.Request
    /// The connection of the client; nil when the exchange has let go of the file.
    private var client: ConnectionHandler?
    private let isPlain: Bool
    private var opened: OpenFile?
    private var rest: ArraySlice<FileAnswer.Piece> = []
    private var isReading = false

    /// The longest part that the system sends at once.
    private static let regionSize = 262_144

    /// - Parameters:
    ///   - file: The file.
    ///   - request: What it answers.
    ///   - client: The exchange that gets the file.
    ///   - interception: What the rules decide again after.
    init(
        _ file: ServedFile,
        to request: FileAnswer.Request,
        for client: ConnectionHandler,
        _ interception: Interception
    ) {
        self.file = file
        self.request = request
        self.client = client
        self.interception = interception
        isPlain = !client.connection.isSecure
    }

    /// Carries out an effect.
    func perform(_ effect: Exchange.Effect) {
        switch effect {
        case .ask: open()
        case .readUpstream:
            // Not among the effects that are being carried out: they report whether the client takes more.
            guard let loop = client?.timerLoop else { return }
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.execute { bound.value.goOn() }
        case .leaveUpstream:
            client = nil
            opened = nil
        default: break
        }
    }

    /// Has another thread do something, and takes the result.
    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value,
        then take: @escaping (FileExchange, Value) -> Void
    ) {
        guard let loop = client?.timerLoop else { return }
        isReading = true
        let bound = NIOLoopBound((exchange: self, take: take), eventLoop: loop)
        NIOThreadPool.singleton.submit { _ in
            let value = work()
            loop.execute {
                let (exchange, take) = bound.value
                exchange.isReading = false
                guard let client = exchange.client else { return }
                take(exchange, value)
                client.flushResponse()
            }
        }
    }

    private typealias Opening = Result<(OpenFile, ByteBuffer?), IncomingRequest.Refusal>

    private func open() {
        let work: @Sendable () -> Opening = { [file, request] in Self.open(file, request) }
        run(work) { exchange, opening in
            switch opening {
            case .success(let (opened, body)): exchange.begin(opened, body)
            case .failure(let refusal): exchange.client?.handle(.refused(refusal))
            }
        }
    }

    /// Opens a file, and reads all of a short one.
    private static func open(_ file: ServedFile, _ request: FileAnswer.Request) -> Opening {
        Result { () throws(IncomingRequest.Refusal) in
            let opened = try OpenFile(file, to: request)
            guard !opened.answer.pieces.isEmpty, opened.answer.length <= OpenFile.partSize else { return (opened, nil) }
            guard let body = opened.body() else {
                throw IncomingRequest.Refusal("the file cannot be read", status: .internalServerError)
            }
            return (opened, body)
        }
    }

    private func begin(_ opened: OpenFile, _ body: ByteBuffer?) {
        self.opened = opened
        rest = opened.answer.pieces[...]
        if let body { rest = [.bytes(body)] }
        client?.handle(.head(opened.answer.head, hasOther: false))
        goOn()
    }

    /// Hands on one part after another, as long as the client takes them.
    private func goOn() {
        guard let client, takesMore else { return }
        while let opened, !isReading, takesMore {
            guard let piece = rest.popFirst() else {
                client.handle(.answerEnded)
                break
            }
            switch piece {
            case .bytes(let bytes): client.handle(.answerPart(bytes))
            case .part(let part):
                let first = part.prefix(isPlain ? Self.regionSize : OpenFile.partSize)
                if first.count < part.count { rest = [.part(first.endIndex..<part.upperBound)] + rest }
                if isPlain { send(first, of: opened) } else { read(first, of: opened) }
            }
        }
        client.flushResponse()
    }

    /// The headers of the answer that rules see.
    var sent: [RuleRequest.Header] { opened?.answer.sent ?? [] }

    private var takesMore: Bool { client?.exchange?.takesAnswer ?? false }

    private func send(_ part: Range<Int>, of opened: OpenFile) {
        guard !opened.lacks(part) else { return fail() }
        client?.handle(.answerFile(opened, part))
    }

    private func read(_ part: Range<Int>, of opened: OpenFile) {
        let work: @Sendable () -> ByteBuffer? = {
            var bytes = ByteBuffer()
            return opened.read(part, into: &bytes) ? bytes : nil
        }
        run(work) { exchange, bytes in
            guard let bytes else { return exchange.fail() }
            exchange.client?.handle(.answerPart(bytes))
            exchange.goOn()
        }
    }

    /// The file is not what it was: the client must not take a part of it for all of it.
    private func fail() {
        client?.handle(.refused(IncomingRequest.Refusal("the file has become shorter", status: .internalServerError)))
    }
}
#endif
