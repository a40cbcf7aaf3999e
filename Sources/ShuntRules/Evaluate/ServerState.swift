import ShuntCore

/// The request as the servers see it, and where nginx's phases stand.
struct ServerState {
    var listen: Int32 = -1
    /// The server.
    var index: Int32 = -1
    var settings: Int32 = -1
    var location: Int32 = -1
    var method = ByteRange.empty
    var methodKind = MethodKind.other
    var isSecure = false
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
    var needsEscape = false
    /// Whether the path came with a percent sign in it.
    var isQuoted = false
    /// Whether the URL that is asked for stands in the arena as it came in, with a Host and a target that needed no change.
    var isAsSent = false
    /// Where the scheme and the authority end that were put before the last path that a rule made; -1 for none.
    var originEnd: Int32 = -1
    /// Whether `requestURI` still is what the request asks for.
    var receivedTargetIsValid = true
    var changesLeft = EvaluationLimits.changes + 1
    var isInternal = false
    var uriChanged = false
    /// Whether the path still is the one the location was chosen for, as `alias` needs it.
    var locationIsValid = true
    var addsURIToAlias = false
    /// The handler of the last settings that named one, since the location was found.
    var contentHandler = ContentHandler.none
    /// What `$limit_rate` was set to, in bytes a second.
    var limitRate = 0
    /// The client's address, once it was read or replaced.
    var client = ClientAddress()

    /// Whether a rule has changed the path or the arguments.
    var isChanged: Bool { uri != receivedURI || arguments != receivedArguments }
}
