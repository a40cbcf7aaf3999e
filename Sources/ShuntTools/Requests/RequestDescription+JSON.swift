package import Shunt

/// The JSON object that `RequestRecord` reads; what is usual is left out.
extension RequestDescription: JSONWritable {
    package func write(to writer: inout JSONWriter) { object.write(to: &writer) }

    private var object: JSONObject {
        let isLatin1 = !strings.allSatisfy { $0.span.isUTF8 }
        // Each character stands for one byte then, in every string.
        func text(_ bytes: [UInt8]) -> String {
            guard isLatin1 else { return String(decoding: bytes, as: UTF8.self) }
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }

        let inputs = request.inputs.bytes.sorted { $0.key < $1.key }.map { ($0.key, text($0.value)) }
        let object: JSONObject
        switch request.subject {
        case .url(let url): object = ["url": text(url)]
        case .target(let target, let host): object = ["target": text(target), "host": host.map(text)]
        }
        return object.adding([
            "method": request.methodBytes == RuleRequest.usualMethod ? nil : text(request.methodBytes),
            "headers": request.headers.isEmpty
                ? nil : request.headers.map { [text($0.nameBytes), text($0.valueBytes)] },
            "input": inputs.isEmpty ? nil : JSONObject(inputs),
            "remote_addr": request.remoteAddress == RuleRequest.usualAddress
                ? nil : text(Array(request.remoteAddress.utf8)),
            "listen": request.listen.map { RequestFields.text(of: $0) },
            "time": request.time.map { "\($0)" },
            "files": files.isEmpty ? nil : files.map { text(Array($0.utf8)) },
            "weight": weight == 1 ? nil : weight,
            "latin1": isLatin1 ? true : nil,
        ])
    }

    /// All bytes that someone sent.
    private var strings: [[UInt8]] {
        var result = [request.methodBytes, request.bytes, request.host ?? []]
        for header in request.headers { result += [header.nameBytes, header.valueBytes] }
        return result + request.inputs.bytes.values
    }
}
