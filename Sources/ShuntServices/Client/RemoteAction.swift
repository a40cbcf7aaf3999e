#if Client
import HTTPTypes
import Shunt
import ShuntLinks
import ShuntModules

/// One action that a server answers: from an input to a request, from an answer to an output.
struct RemoteAction<Input: Encodable & Sendable, Output: Decodable & Sendable>: Sendable {
    private let method: HTTPRequest.Method
    private let base: RemoteBase
    private let table: RouteTable
    private let parameters: Set<String>
    private let envelope: ResponseEnvelope?
    private let accepting: ClosedRange<Int>

    init(
        _ method: String,
        _ path: String,
        of base: RemoteBase,
        envelope: ResponseEnvelope?,
        accepting: ClosedRange<Int>
    ) throws(RemoteProblem) {
        guard let method = HTTPRequest.Method(method) else {
            throw RemoteProblem(reason: "\"\(method)\" is not an HTTP method")
        }
        guard path.hasPrefix("/") else {
            throw RemoteProblem(
                reason: path.isEmpty ? "it has no address" : "its address \"\(path)\" is not a path",
                suggestion: "write a method and a path, such as \"GET\", \"/users/:id\""
            )
        }
        var builder = RouteTableBuilder()
        builder.add(path, name: "remote")
        do throws(RouteTableError) {
            table = try builder.build()
        } catch {
            throw RemoteProblem(reason: "the path \"\(path)\": \(error.diagnostics.first?.message ?? "unreadable")")
        }
        parameters = Set(table.routes.first?.fullPattern.parameterNames ?? [])
        self.method = method
        self.base = base
        self.envelope = envelope
        self.accepting = accepting
    }

    func ask(_ input: Input, _ call: CallContext) async throws -> Output {
        let reply = try await call.call(HTTPClientModule.exchange, try exchange(for: input))
        return try output(of: reply)
    }

    // MARK: From an input to a request

    private var hasBody: Bool { ![.get, .head, .delete].contains(method) }

    func exchange(for input: Input) throws -> HTTPExchange {
        let json = try ValueJSON.value(of: input)
        var path: [String: String] = [:]
        var query: [RouteQuery.Item] = []
        var body: JSONValue?
        if hasBody {
            body = try fill(&path, from: json)
        } else {
            do throws(ValueProblems) {
                for (name, text) in try ValueJSON.texts(of: json) {
                    if parameters.contains(name) {
                        path[name] = text
                    } else {
                        query.append(RouteQuery.Item(name: name, value: text))
                    }
                }
            } catch {
                throw ClientError.unsendable(reason: Self.text(error))
            }
        }
        var request = HTTPRequest(method: method, scheme: base.scheme, authority: base.authority, path: nil)
        do throws(RouteGenerationError) {
            request.path = base.path + (try table.generate(route: "remote", values: path, query: RouteQuery(query)))
        } catch {
            throw ClientError.unsendable(reason: "\(error)")
        }
        request.headerFields[.accept] = "application/json"
        guard let body else { return HTTPExchange(request) }
        request.headerFields[.contentType] = "application/json"
        return HTTPExchange(request, body: ValueJSON.bytes(body))
    }

    /// Takes the parameters of the path out of an input; what is left is the body, if anything is.
    private func fill(_ path: inout [String: String], from json: JSONValue) throws(ClientError) -> JSONValue? {
        guard case .object(let members) = json else { return json }
        let taken = members.filter { parameters.contains($0.name) }
        let left = members.filter { !parameters.contains($0.name) }
        do throws(ValueProblems) {
            for (name, text) in try ValueJSON.texts(of: .object(taken)) { path[name] = text }
        } catch {
            throw .unsendable(reason: Self.text(error))
        }
        return left.isEmpty ? nil : .object(left)
    }

    // MARK: From an answer to an output

    func output(of reply: HTTPReply) throws(ClientError) -> Output {
        guard accepting.contains(reply.response.status.code) else { throw .status(reply) }
        if Output.self == NoValue.self, reply.body.isEmpty, let nothing = NoValue() as? Output { return nothing }
        var value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(reply.body)
        } catch {
            throw .unreadable(reason: "the answer is not JSON", reply)
        }
        if let envelope {
            guard let inner = try envelope.open(value) else {
                throw .unreadable(reason: "the answer has no \"\(envelope.code)\"", reply)
            }
            value = inner
        }
        if Output.self == NoValue.self, value == .null, let nothing = NoValue() as? Output { return nothing }
        do throws(ValueProblems) {
            return try ValueJSON.read(Output.self, from: value)
        } catch {
            throw .unreadable(reason: Self.text(error), reply)
        }
    }

    private static func text(_ problems: ValueProblems) -> String {
        problems.problems
            .map { problem in
                let name = problem.name.isEmpty ? "it" : "\"\(problem.name)\""
                return switch problem.kind {
                case .missing: "\(name) is missing"
                case .repeated: "\(name) is there twice"
                case .unreadable(let value, let wanted): "\(name) is \(value), not \(wanted)"
                }
            }
            .joined(separator: "; ")
    }
}
#endif
