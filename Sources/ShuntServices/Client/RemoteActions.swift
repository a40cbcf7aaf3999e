#if Client
import ShuntCore
public import ShuntModules

extension ModuleDefinition {
    /// Answers actions by requests to a server over HTTP, through `HTTPClientModule`.
    ///
    /// `base` has scheme, host and perhaps the path that all URLs begin with, such as `https://api.example.com/v1`.
    /// Without an envelope an answer is the value.
    public mutating func remote(
        _ base: String,
        envelope: ResponseEnvelope? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ body: (inout RemoteActions<Input>) -> Void
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        _ = require(HTTPClientModule.exchange)
        guard let base = RemoteBase(base) else {
            let message = "\"\(base)\" is not the URL of a server"
            let advice = "write scheme and host, such as https://api.example.com"
            return report(Diagnostic(.error(.remoteBase), message, at: place, suggestion: advice))
        }
        var actions = RemoteActions(definition: self, base: base, envelope: envelope)
        body(&actions)
        self = actions.definition
    }
}

/// Lists which actions a server answers, and with which requests.
///
/// An action's input becomes the parameters of the path; what is left of it is the query of GET, HEAD and DELETE, and else
/// the members of a JSON body. The answer is JSON.
public struct RemoteActions<ModuleInput: Sendable>: Sendable {
    var definition: ModuleDefinition<ModuleInput>
    let base: RemoteBase
    let envelope: ResponseEnvelope?

    /// An action whose address is a path: method and path are those of its address.
    ///
    /// One constant serves both sides: the server handles it, the client sends it. Where the client serves requests itself,
    /// the network does not reach the action, whatever its exposure. Without a method it is asked for by POST;
    /// `accepting` has the statuses of a success.
    public mutating func send<I: Encodable, O: Decodable>(
        _ action: ModuleAction<I, O>,
        accepting: ClosedRange<Int> = 200...299,
        file: String = #fileID,
        line: Int = #line
    ) {
        let (method, path) = (action.method ?? "POST", action.address ?? "")
        send(action, method: method, at: path, accepting: accepting, file: file, line: line)
    }

    /// An action with a method and a path of the server's own, a pattern such as `/users/:id`.
    public mutating func send<I: Encodable, O: Decodable>(
        _ action: ModuleAction<I, O>,
        method: String,
        at path: String,
        accepting: ClosedRange<Int> = 200...299,
        file: String = #fileID,
        line: Int = #line
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        do throws(RemoteProblem) {
            let remote = try RemoteAction<I, O>(method, path, of: base, envelope: envelope, accepting: accepting)
            definition.handOn(action, at: place) { input, call in try await remote.ask(input, call) }
        } catch {
            let message = "\"\(action.name)\" cannot be sent to a server: \(error.reason)"
            definition.report(Diagnostic(.error(.remoteAction), message, at: place, suggestion: error.suggestion))
        }
    }
}

/// The reason why an action cannot be sent to a server.
struct RemoteProblem: Error {
    var reason: String
    var suggestion: String?
}

/// The beginning of all URLs of a server.
struct RemoteBase: Sendable {
    let scheme: String
    let authority: String
    /// The path without a slash at its end.
    let path: String

    init?(_ text: String) {
        guard let mark = text.firstRange(of: "://"), !text.contains("?"), !text.contains("#") else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[mark.upperBound...]
        authority = String(rest.prefix { $0 != "/" })
        guard !authority.isEmpty else { return nil }
        let path = rest[rest.index(rest.startIndex, offsetBy: authority.count)...]
        self.path = String(path.hasSuffix("/") ? path.dropLast() : path)
    }
}
#endif
