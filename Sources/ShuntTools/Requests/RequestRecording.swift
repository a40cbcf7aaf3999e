package import Shunt

/// Writes into a log what the rules read of a request in addition to its line, so that the log replays exactly.
///
/// Values of names that are masked are written as the first eight digits of a keyed hash: equal ones stay equal, and no
/// one can find what they were.
package struct RequestRecording: Sendable {
    /// The header that is never written unchanged: `$remote_user` comes from it, and so do passwords.
    private static let secret = "authorization"

    private let masks: Set<String>
    private let key: [UInt8]

    /// Makes a recording that masks the values of headers, cookies and inputs by name; the hash begins with a secret
    /// key.
    package init(masking masks: [String], key: [UInt8]) {
        self.masks = Set(masks.map { $0.lowercased() } + [Self.secret])
        self.key = key
    }

    /// Writes an object: the headers, cookies and inputs that rules read, the address that the request came in at, and the
    /// names of what is masked.
    package func write(_ request: RuleRequest, _ reads: RequestReads, to writer: inout JSONWriter) {
        var masked: Set<String> = []
        func value(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
            let name = String(decoding: name, as: UTF8.self).lowercased()
            guard masks.contains(name) else { return value }
            masked.insert(name)
            return digits(of: value)
        }
        let headers = request.headers.compactMap { header -> RuleRequest.Header? in
            guard !header.nameBytes.map(\.asciiLowercased).elementsEqual("host".utf8), var header = reads.read(header)
            else {
                return nil
            }
            if header.nameBytes.map(\.asciiLowercased).elementsEqual("cookie".utf8), !masks.contains("cookie") {
                let parts = RequestCookies.parts(of: header.valueBytes)
                    .map { RequestCookies.Part(name: $0.name, value: value($0.name, $0.value)) }
                header.valueBytes = RequestCookies.text(parts)
            } else {
                header.valueBytes = value(header.nameBytes, header.valueBytes)
            }
            return header
        }
        let inputs = request.inputs.bytes.sorted { $0.key < $1.key }
            .map { ($0.key, String(decoding: value(Array($0.key.utf8), $0.value), as: UTF8.self)) }
        let object: JSONObject = [
            "headers": headers.isEmpty ? nil : headers.map { [$0.name, $0.value] },
            "input": inputs.isEmpty ? nil : JSONObject(inputs),
            "listen": request.listen.map { RequestFields.text(of: $0) },
            "masked": masked.isEmpty ? nil : masked.sorted(),
        ]
        object.write(to: &writer)
    }

    private func digits(of value: [UInt8]) -> [UInt8] {
        var hash = ContentHash()
        hash.update(key)
        hash.update(value)
        return Array(hash.hexadecimal.utf8.prefix(8))
    }
}
