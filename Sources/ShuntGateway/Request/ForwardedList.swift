#if Gateway
/// The list of the header `Forwarded`, to which each proxy adds an element.
///
/// Read whole and strictly: a quotation that a client leaves open must not take in what the proxy adds.
///
/// https://www.rfc-editor.org/rfc/rfc7239#section-4
struct ForwardedList {
    typealias Parameter = (name: String, value: String)

    private var rest: Substring.UTF8View
    private var element: [Parameter] = []

    /// The parameters of the last element over all header lines, names in lower case; empty elements do not count.
    static func lastElement(of lines: [String]) throws(IncomingRequest.Refusal) -> [Parameter] {
        var last: [Parameter] = []
        for line in lines {
            var list = ForwardedList(rest: Substring(line).utf8)
            let element = try list.last()
            if !element.isEmpty { last = element }
        }
        return last
    }

    private mutating func last() throws(IncomingRequest.Refusal) -> [Parameter] {
        var last: [Parameter] = []
        while true {
            skipBlanks()
            switch rest.first {
            case nil: return element.isEmpty ? last : element
            case UInt8(ascii: ","):
                if !element.isEmpty { last = element }
                element = []
                rest.removeFirst()
            case UInt8(ascii: ";"): rest.removeFirst()
            default: try takeParameter()
            }
        }
    }

    private mutating func takeParameter() throws(IncomingRequest.Refusal) {
        let name = (String(rest.prefix(while: \.isNameByte)) ?? "").lowercased()
        rest = rest.drop(while: \.isNameByte)
        guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { throw Self.malformed }
        guard !element.contains(where: { $0.name == name }) else {
            throw IncomingRequest.Refusal("the Forwarded of the proxy has \"\(name)\" twice in one element")
        }
        let value = try rest.first == UInt8(ascii: "\"") ? quotedValue() : plainValue()
        skipBlanks()
        guard rest.isEmpty || Self.isSeparator(rest.first) else { throw Self.malformed }
        element.append((name, value))
    }

    /// A value without quotation marks; addresses of IPv6 and ports are accepted in it, as many proxies write them.
    private mutating func plainValue() throws(IncomingRequest.Refusal) -> String {
        let value = rest.prefix { !Self.isSeparator($0) && $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: "\"") }
        rest = rest[value.endIndex...]
        guard let text = String(value) else { throw Self.malformed }
        return text
    }

    /// A value in quotation marks, in which a backslash is before any byte.
    private mutating func quotedValue() throws(IncomingRequest.Refusal) -> String {
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let quoted = rest.popFirst() else { throw Self.open }
                bytes.append(quoted)
            default: bytes.append(byte)
            }
        }
        throw Self.open
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

    private static func isSeparator(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") }

    private static let malformed = IncomingRequest.Refusal("the Forwarded of the proxy has another form than RFC 7239")
    private static let open = IncomingRequest.Refusal("the Forwarded of the proxy has a quotation that does not end")
}
#endif
