import ShuntCore

/// The request as the servers see it, and where nginx's phases are.
struct ServerState {
    // In the order of their first values, so that a few stores begin them again.
    var listen = TableIndex<ListenGroup>.none
    var index = ServerIndex.none
    var settings = SettingsIndex.none
    var location = LocationIndex.none
    /// The place where the scheme and the authority end that were put before the last path that a rule made; -1 for
    /// none.
    var originEnd: Int32 = -1
    var changesLeft = Int32(EvaluationLimits.changes) + 1
    var isSecure = false
    var needsEscape = false
    /// True if the path came with a percent sign in it.
    var isQuoted = false
    /// True if the requested URL is in the arena as it came in, with a Host and a target that needed no change.
    var isAsSent = false
    var isInternal = false
    /// True if the body was longer than a location takes.
    var isBodyRefused = false
    /// True if it was read and dropped, so that the connection stays of use.
    var isBodyDropped = false
    /// True for the question of an `auth_request`, next to the client's request.
    var isQuestion = false
    /// True if headers of earlier answers of upstreams are kept.
    var keepsHeaders = false
    var uriChanged = false
    var addsURIToAlias = false
    var methodKind = MethodKind.other
    /// True if `requestURI` still is what the request asks for.
    var receivedTargetIsValid = true
    /// True if the path still is the one the location was chosen for, as `alias` needs it.
    var locationIsValid = true
    /// The handler of the last settings that named one, since the location was found.
    var contentHandler = ContentHandler.none
    var method = ByteRange.empty
    /// The method of the client's request, next to which a question is asked.
    var askingMethod = ByteRange.empty
    /// The host that servers are chosen by.
    var host = ByteRange.empty
    /// The host and port as the request names them.
    var authority = ByteRange.empty
    /// The target, or the path and query of a URL, as it was sent.
    var requestURI = ByteRange.empty
    /// The path in it.
    var sentPath = ByteRange.empty
    /// `uri` and `arguments` as they came in, to see whether a rule changed them.
    var receivedURI = ByteRange.empty
    var receivedArguments = ByteRange.empty
    var uri = ByteRange.empty
    var arguments = ByteRange.empty
    /// The status of a gate that refused where another one may admit; 0 for none.
    var refusal: Int32 = 0
    /// The value of `$limit_rate`, in bytes a second.
    var limitRate = 0
    /// True if an `allow` has it on its list, so that no list after that turns it away.
    var passesLists = false
    /// The client's address, once it was read or replaced.
    var client = ClientAddress()

    /// True if a rule has changed the path or the arguments.
    var isChanged: Bool { uri != receivedURI || arguments != receivedArguments }
}

extension Program {
    /// The `listen` for a request with the place where it arrived; nil when none is for the port.
    func listen(at endpoint: RuleRequest.Endpoint) -> TableIndex<ListenGroup>? {
        endpoint.publicPort.flatMap { listen(at: endpoint.address, port: $0) }
            ?? listen(at: endpoint.address, port: endpoint.port)
    }
}
