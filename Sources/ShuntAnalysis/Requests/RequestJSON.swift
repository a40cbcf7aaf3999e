package import ShuntCore
import ShuntRules

/// Requests as the JSON objects that `RequestLine` reads.
package enum RequestJSON {
    /// Writes a request; what is usual is left out.
    package static func write(_ description: RequestDescription, to writer: inout JSONWriter) {
        let request = description.request
        let isLatin1 = !strings(of: description).allSatisfy { $0.span.isUTF8 }
        // Each character stands for one byte then, in every string.
        func text(_ bytes: [UInt8]) -> String {
            guard isLatin1 else { return String(decoding: bytes, as: UTF8.self) }
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
        func member(_ name: String, _ bytes: [UInt8]) { writer.member(name, text(bytes)) }

        writer.beginObject()
        switch request.subject {
        case .url(let url): member("url", url)
        case .target(let target, let host):
            member("target", target)
            if let host { member("host", host) }
        }
        if request.method != RuleRequest.usualMethod { member("method", request.method) }
        if !request.headers.isEmpty {
            writer.name("headers")
            writer.array { writer in
                for header in request.headers {
                    writer.array { writer in
                        writer.string(text(header.name))
                        writer.string(text(header.value))
                    }
                }
            }
        }
        if !request.inputs.isEmpty {
            writer.name("input")
            writer.object { writer in
                for (name, value) in request.inputs.bytes.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, text(value))
                }
            }
        }
        if request.remoteAddress != RuleRequest.usualAddress {
            member("remote_addr", Array(request.remoteAddress.utf8))
        }
        if let listen = request.listen { writer.member("listen", RequestFields.text(of: listen)) }
        if let time = request.time { writer.member("time", "\(time)") }
        if !description.files.isEmpty {
            writer.name("files")
            writer.array { writer in
                for path in description.files { writer.string(text(Array(path.utf8))) }
            }
        }
        if description.weight != 1 { writer.member("weight", description.weight) }
        if isLatin1 { writer.member("latin1", true) }
        writer.endObject()
    }

    /// All bytes that someone sent.
    private static func strings(of description: RequestDescription) -> [[UInt8]] {
        let request = description.request
        var result: [[UInt8]] = [request.method]
        switch request.subject {
        case .url(let url): result.append(url)
        case .target(let target, let host): result += [target, host ?? []]
        }
        for header in request.headers { result += [header.name, header.value] }
        return result + request.inputs.bytes.values
    }
}
