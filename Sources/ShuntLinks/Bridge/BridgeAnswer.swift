import ShuntCore

/// The answer to an envelope.
package enum BridgeAnswer: Sendable, Equatable {
    /// A value as JSON: the answer of a call, or an element of a feed.
    case value([UInt8])
    /// A feed has ended, or the page has left.
    case end
    /// An error.
    case failed(BridgeFailure)

    /// The JSON value of no value.
    static let null = BridgeAnswer.value(Array("null".utf8))

    /// The message with the answer, as JSON, for the number of the envelope; nil if it has none, or if the number is in use.
    package func message(to id: Int?) -> [UInt8] {
        let number: JSONObject = ["id": JSONText(id.map { Array("\($0)".utf8) })]
        let answer: JSONObject =
            switch self {
            case .value(let json): ["value": JSONText(json)]
            case .end: ["end": true]
            case .failed(let failure): ["error": failure.object]
            }
        return number.adding(answer).bytes
    }
}

/// An error as a page sees it.
package struct BridgeFailure: Error, Sendable, Equatable {
    /// The number of the envelope, if it can be read.
    var id: Int?
    /// The status, as over HTTP.
    package let status: Int
    package let message: String
    /// The parameters that are wrong.
    private var parameters: JSONValue?
    /// The URL to which the rules send the page.
    private var location: String?

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The error that any door reports in this case, with a message.
    init(_ response: LinkResponse) {
        self.init(response.status, Self.words[response.status] ?? "status \(response.status)")
        location = response.headers.first { $0.name == "Location" }?.value
        guard case .bytes(let bytes) = response.body, case .object(let members)? = try? JSONReader.read(bytes) else {
            return
        }
        parameters = members.first { $0.name == "parameters" }?.value
    }

    private static let words = [
        301: "moved", 302: "moved", 303: "moved", 307: "moved", 308: "moved",
        400: "the parameters do not fit", 401: "not authorized", 403: "refused", 404: "not found",
        409: "conflict", 413: "too large", 500: "failed", 503: "not ready", 504: "timed out",
    ]

    var object: JSONObject {
        [
            "status": status, "message": message, "parameters": parameters, "location": location,
        ]
    }
}
