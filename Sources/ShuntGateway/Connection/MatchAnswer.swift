#if Gateway
import NIOCore
import Shunt

/// The answer to a request that neither rules nor an upstream answer: the route that it is for, as JSON.
enum MatchAnswer {
    /// `{"route":"item","parameters":{"id":"7"},"url":"http://a.test/item/7"}`, or what is missing.
    static func body(_ decision: Decision) -> ByteBuffer {
        let parameters = JSONObject(decision.parameters.map { ($0.name, $0.value) })
        let answer: JSONObject = [
            "route": decision.route,
            "parameters": decision.route == nil ? nil : parameters,
            "error": decision.route == nil ? "no route matches, and there is no upstream" : nil,
            "url": decision.url,
            "rule": decision.rule?.description,
        ]
        return ByteBuffer(bytes: answer.line)
    }
}
#endif
