#if Gateway
import Foundation
import TestFolder

@testable import ShuntGateway

/// A question as Envoy's `ext_proc` asks it, and its answer.
struct EnvoyQuestion {
    var headers: [(name: String, value: [UInt8])] = []
    var source: String?

    /// A question about a request of `a.test`.
    init(_ line: String, _ headers: [(String, String)] = [], scheme: String = "http", host: String = "a.test") {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let pseudo = [
            (":authority", host), (":path", parts.last ?? ""), (":method", parts.first ?? ""), (":scheme", scheme),
        ]
        self.headers = (pseudo + headers).map { ($0.0, Array($0.1.utf8)) }
    }

    /// The question with the first header of a name changed, or without it.
    func with(_ name: String, _ value: [UInt8]?) -> EnvoyQuestion {
        var question = self
        question.headers.removeAll { $0.name == name }
        if let value { question.headers.append((name, value)) }
        return question
    }

    /// The question from an address that Envoy reports.
    func from(_ source: String) -> EnvoyQuestion {
        var question = self
        question.source = source
        return question
    }

    /// As Envoy 1.40 writes it.
    var json: String {
        let list = headers.map { header in
            let value = Data(header.value).base64EncodedString()
            return #"{"key":"\#(header.name)","raw_value":"\#(value)"}"#
        }
        let told = source.map { #","attributes":{"envoy.filters.http.ext_proc":{"source.address":"\#($0)"}}"# } ?? ""
        return #"{"request_headers":{"headers":{"headers":["# + list.joined(separator: ",")
            + #"]},"end_of_stream":true},"metadata_context":{}"# + told + #","protocol_config":{}}"#
    }

    /// Asks a service.
    func ask(_ service: RunningGateway) async throws -> EnvoyAnswer {
        let response = try await Self.post(json, service)
        return try EnvoyAnswer(response)
    }

    /// Sends a text as a question.
    static func post(_ text: String, _ service: RunningGateway) async throws -> TestResponse {
        guard let response = try await service.send(request(text)).first else { throw TestProblem("no answer") }
        return response
    }

    /// The bytes of a question with a text, in chunks as Envoy sends it.
    static func request(_ text: String) -> String {
        let head =
            "POST / HTTP/1.1\r\nHost: shunt\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        return head + String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n0\r\n\r\n"
    }
}

/// The content of an answer for Envoy.
struct EnvoyAnswer {
    /// The members of the answer.
    let kind: String
    /// The headers of the request that continues, or of the answer to the client, in order.
    private(set) var set: [(name: String, value: String, isAdded: Bool)] = []
    private(set) var removed: [String] = []
    private(set) var clearsRoute = false
    /// The status for the client; nil if the request continues.
    private(set) var status: Int?
    private(set) var body = ""
    private(set) var details: String?

    init(_ response: TestResponse) throws {
        guard response.status == 200, response["Content-Type"] == "application/json" else {
            throw TestProblem("\(response.status) \(response.text)")
        }
        let whole = try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any] ?? [:]
        guard whole.count == 1, let (kind, value) = whole.first, let members = value as? [String: Any] else {
            throw TestProblem("not one member: \(response.text)")
        }
        self.kind = kind
        var mutation: [String: Any]?
        if kind == "immediateResponse" {
            status = (members["status"] as? [String: Any])?["code"] as? Int
            body =
                (members["body"] as? String).flatMap { Data(base64Encoded: $0) }
                .map { String(decoding: $0, as: UTF8.self) } ?? ""
            details = members["details"] as? String
            mutation = members["headers"] as? [String: Any]
        } else {
            let common = members["response"] as? [String: Any]
            clearsRoute = common?["clearRouteCache"] as? Bool ?? false
            mutation = common?["headerMutation"] as? [String: Any]
        }
        removed = mutation?["removeHeaders"] as? [String] ?? []
        for option in mutation?["setHeaders"] as? [[String: Any]] ?? [] {
            let header = option["header"] as? [String: Any]
            let raw = (header?["rawValue"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
            let name = header?["key"] as? String ?? ""
            set.append((name, String(decoding: raw, as: UTF8.self), option["append"] as? Bool ?? false))
        }
    }

    /// The only value that a header is set to.
    subscript(_ name: String) -> String? {
        let values = set.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }
}
#endif
