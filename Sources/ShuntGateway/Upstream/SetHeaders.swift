#if Gateway
import NIOHTTP1
import Shunt

/// The headers of `proxy_set_header`, but for headers that belong to the connection or state where a body ends.
struct SetHeaders {
    var fields: [(name: String, value: [UInt8])] = []
    /// The protocol that the request asks for: WebSocket, or one that the rules name.
    ///
    /// The client does not choose others: what goes through a connection of HTTP/2, for one, no rule would see.
    var upgrade: String?
    /// True if the connection to the upstream is for this request only.
    private(set) var closes = false

    init(_ decision: borrowing DecisionView) throws(IncomingRequest.Refusal) {
        var protocols: String?
        var isConnectionSet = false
        var fields: [(name: String, value: [UInt8])] = []
        var (isToken, closes) = (true, false)
        decision.withUpstreamHeaders { name, value in
            for index in name.indices where !name[index].isNameByte { isToken = false }
            let isOfConnection = HopByHopHeaders.isOfConnection(name)
            let name = String(repairing: name)
            let text = String(repairing: value)
            if name.isSameHeader(as: "upgrade"), !text.isEmpty { protocols = text }
            if name.isSameHeader(as: "connection") {
                isConnectionSet = text.lowercased().contains("upgrade")
                closes = value.lists("close")
            }
            guard !isOfConnection, !Self.isFraming(name) else { return }
            fields.append((name, Array(copying: value)))
        }
        guard isToken else {
            throw IncomingRequest.Refusal("the rules set a header with an invalid name", status: .internalServerError)
        }
        (self.fields, self.closes) = (fields, closes)
        guard isConnectionSet, let protocols else { return }
        let isNamed = protocols == decision.upstreamSettings?.namedProtocol
        if isNamed || protocols.isSameHeader(as: "websocket") { upgrade = protocols }
    }

    /// Returns true if there is a header of that name.
    func has(_ name: Span<UInt8>) -> Bool { !fields.isEmpty && has(String(repairing: name)) }

    /// Returns true if there is a header of that name.
    func has(_ name: String) -> Bool {
        guard !fields.isEmpty else { return false }
        let lowercased = name.lowercased()
        return fields.contains { $0.name.lowercased() == lowercased }
    }

    /// True if one of them is a Host that is not empty.
    var sendsHost: Bool { fields.contains { $0.name.isSameHeader(as: "host") && !$0.value.isEmpty } }

    private static func isFraming(_ name: String) -> Bool {
        name.isSameHeader(as: "content-length") || name.isSameHeader(as: "expect")
    }
}
#endif
