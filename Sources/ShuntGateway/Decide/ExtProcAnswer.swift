#if Gateway
import Shunt
import NIOCore
import NIOHTTP1

/// A `ProcessingResponse`: what Envoy's filter `ext_proc` is to do.
///
/// Envoy fails a request whose answer has a member that it does not know.
enum ExtProcAnswer {
    /// The answer that changes nothing.
    static func unchanged(_ kind: ExtProcQuestion.Kind) -> [UInt8] {
        ([kind.rawValue: [:] as JSONObject] as JSONObject).bytes
    }

    /// The request continues, changed.
    ///
    /// - Parameters:
    ///   - set: Headers that it gets in place of what it has of these names.
    ///   - removed: The names of headers that it loses, before others are set.
    /// - Returns: The JSON.
    static func goesOn(_ set: [(name: String, value: String)], removed: [String]) -> [UInt8] {
        let mutation = headers(set).adding(["removeHeaders": removed.isEmpty ? nil : removed])
        // The route was chosen for the target and the host as they were.
        let response: JSONObject = ["headerMutation": mutation, "clearRouteCache": true]
        let answer: JSONObject = [ExtProcQuestion.Kind.requestHeaders.rawValue: ["response": response] as JSONObject]
        return answer.bytes
    }

    /// The client gets an answer, and no upstream gets the request.
    static func immediate(_ status: HTTPResponseStatus, fields: HTTPHeaders, body: ByteBuffer) -> [UInt8] {
        let hasBody = status.mayHaveResponseBody
        let kept = fields.filter { name, _ in
            let isOfBody = name.isSameHeader(as: "content-type")
            return !Decision.Answer.isFraming(Array(name.utf8).span)
                && !name.lowercased().hasPrefix(ExtProcRequest.ownPrefix) && (hasBody || !isOfBody)
        }
        let isShown = hasBody && body.readableBytes > 0
        let response: JSONObject = [
            "status": ["code": Int(status.code)] as JSONObject,
            "headers": kept.isEmpty ? nil : headers(kept.map { ($0.name, $0.value) }),
            "body": isShown ? Base64.encode(Array(body.readableBytesView)) : nil,
            // For the log of Envoy, which has no other word of who answered.
            "details": fields.first(name: DecisionHeader.rule.rawValue).map { "shunt \($0)" },
        ]
        return (["immediateResponse": response] as JSONObject).bytes
    }

    /// Headers, the first of a name in place of others.
    private static func headers(_ headers: [(name: String, value: String)]) -> JSONObject {
        var known: Set<String> = []
        let set = headers.map { name, value -> JSONObject in
            let header: JSONObject = [
                "key": name, "rawValue": Base64.encode(value.utf8.map { $0.isControl ? 0x20 : $0 }),
            ]
            // Envoy's filter reads this member only, though `appendAction` has taken its place elsewhere.
            return ["header": header, "append": known.insert(name.lowercased()).inserted ? nil : true]
        }
        return ["setHeaders": set]
    }
}
#endif
