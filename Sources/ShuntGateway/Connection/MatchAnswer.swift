#if Gateway
import NIOCore
import Shunt

/// The answer to a request that neither rules nor an upstream answer: the route that it is for, as JSON.
enum MatchAnswer {
    /// `{"route":"item","parameters":{"id":"7"},"url":"http://a.test/item/7"}`, or what is missing.
    ///
    /// Without a route a client sees nothing of the rules: a `rewrite` may have put into the URL what only a server should know.
    static func body(_ decision: Decision) -> ByteBuffer {
        guard decision.route != nil else {
            return ByteBuffer(bytes: (["error": "no route matches, and there is no upstream"] as JSONObject).line)
        }
        let parameters = JSONObject(decision.parameters.map { ($0.name, $0.value) })
        let answer: JSONObject = [
            "route": decision.route,
            "parameters": parameters,
            "url": decision.urlBytes,
            "rule": decision.rule?.description,
        ]
        return ByteBuffer(bytes: answer.line)
    }
}
#endif
