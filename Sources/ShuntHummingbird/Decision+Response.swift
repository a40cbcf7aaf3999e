#if Hummingbird
public import Hummingbird
public import Shunt

extension Decision {
    /// The response to a request that the rules answer; nil for one that continues.
    ///
    /// A status 444, with which a connection is closed, is 403.
    public var response: Hummingbird.Response? { answer.map { DecisionAnswer.response($0, channel: nil) } }

    /// Returns a request with the path, the arguments and the host that the rules left; its body is untouched.
    ///
    /// A URL that is not an `http` or `https` URL any more changes nothing.
    public func rewritten(_ request: Hummingbird.Request) -> Hummingbird.Request {
        DecisionAnswer.rewritten(request, by: self)
    }

    /// Adds the headers of the rules to the answer to a request that continued, and the status of an error page.
    public func addHeaders(to response: inout Hummingbird.Response) {
        DecisionAnswer.addHeaders(of: self, to: &response)
    }
}
#endif
