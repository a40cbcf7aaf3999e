#if Gateway
import NIOCore
import Shunt

/// The answer to a request that neither rules nor an upstream answer: the route that it is for, as JSON.
enum MatchAnswer {
    /// `{"route":"item","parameters":{"id":"7"},"url":"http://a.test/item/7"}`, or what is missing.
    static func body(_ decision: Decision) -> ByteBuffer {
        var writer = JSONWriter()
        writer.beginObject()
        if let route = decision.route {
            writer.member("route", route)
            writer.name("parameters")
            writer.beginObject()
            for parameter in decision.parameters { writer.member(parameter.name, parameter.value) }
            writer.endObject()
        } else {
            writer.member("error", "no route matches, and there is no upstream")
        }
        if let url = decision.url { writer.member("url", url) }
        if let rule = decision.rule { writer.member("rule", rule.description) }
        writer.endObject()
        writer.newline()
        return ByteBuffer(bytes: writer.bytes)
    }
}
#endif
