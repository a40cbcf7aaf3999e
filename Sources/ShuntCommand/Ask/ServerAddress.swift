#if Command
import ArgumentParser
import ShuntTools

/// The address of a server that is asked, whatever hosts the requests name.
struct ServerAddress {
    let host: String
    let port: Int

    /// Reads an address such as `http://127.0.0.1:8080`.
    init(_ text: String) throws {
        guard let match = text.wholeMatch(of: #/(?i)(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^\/:\[\]]+)(?::(\d{1,5}))?\/?/#)
        else {
            throw ValidationError("The address of a server is such as http://127.0.0.1:8080: \(text)")
        }
        guard match.1?.lowercased() != "https" else {
            throw ValidationError("A server is reached by http only: \(text)")
        }
        host = match.2.hasPrefix("[") ? String(match.2.dropFirst().dropLast()) : String(match.2)
        port = match.3.flatMap { Int($0) } ?? 80
    }

    /// The answer to a request.
    func answer(_ request: AskedRequest) throws -> WireAnswer {
        let head = WireHead(try WireExchange(host: host, port: port).head(of: request.bytes()))
        return WireAnswer(status: head.status, location: head["location"])
    }
}
#endif
