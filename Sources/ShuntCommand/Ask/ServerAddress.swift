#if Command
import ArgumentParser
import ShuntTools
#if Gateway
import ShuntGateway
#endif

/// The address of a server that gets requests, whatever hosts the requests name.
struct ServerAddress {
    let isSecure: Bool
    let host: String
    let port: Int
    var acceptsAnyCertificate = false

    /// Reads an address such as `http://127.0.0.1:8080`.
    init(_ text: String) throws {
        let form = #/(?i)(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^\/:\[\]]+)(?::(\d{1,5}))?\/?/#
        guard let match = text.wholeMatch(of: form), match.3.flatMap({ Int($0) }) ?? 1 <= 65535 else {
            throw ValidationError("The address of a server is such as http://127.0.0.1:8080: \(text)")
        }
        isSecure = match.1?.lowercased() == "https"
        #if !Gateway
        if isSecure { throw ValidationError("This build reaches servers by http only: \(text)") }
        #endif
        host = match.2.hasPrefix("[") ? String(match.2.dropFirst().dropLast()) : String(match.2)
        port = match.3.flatMap { Int($0) } ?? (isSecure ? 443 : 80)
    }

    func answer(_ request: WireRequest) throws -> WireAnswer {
        let head: WireHead
        #if Gateway
        if isSecure {
            let name = String(decoding: request.host.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
            let tls = SecureExchange(host: host, port: port, name: name, acceptsAnyCertificate: acceptsAnyCertificate)
            head = WireHead(try tls.answer(to: request.bytes(), until: WireExchange.end))
            return WireAnswer(status: head.status, location: head["location"])
        }
        #endif
        head = WireHead(try WireExchange(host: host, port: port).head(of: request.bytes()))
        return WireAnswer(status: head.status, location: head["location"])
    }
}
#endif
