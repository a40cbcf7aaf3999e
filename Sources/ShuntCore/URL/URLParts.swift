/// The place where the parts of a URL are: ranges of bytes, relative to the bytes that were parsed.
///
/// The split is that of RFC 3986, section 3. A part that is absent is nil; a part that is there but empty is an empty
/// range, so `http://h?` has an empty query and `http://h` has none. Nothing is decoded or changed.
public struct URLParts: Sendable, Hashable {
    /// The scheme, without the colon.
    ///
    /// It is never empty.
    public var scheme: ByteRange
    /// The bytes before `@` in the authority.
    public var userinfo: ByteRange?
    /// The host, with its brackets if it is an IP literal; nil exactly when the URL has no authority (no `//`).
    public var host: ByteRange?
    /// The digits after the colon of the authority; empty in `http://h:/`.
    public var port: ByteRange?
    /// The port as a number; nil when there is none or it is empty.
    public var portNumber: UInt16?
    /// The path, which may be empty.
    public var path: ByteRange
    /// The bytes after the first `?` before any `#`.
    public var query: ByteRange?
    /// The bytes after the first `#`.
    public var fragment: ByteRange?

    /// Makes the parts of a URL that has a scheme and a path only.
    public init(scheme: ByteRange, path: ByteRange) {
        self.scheme = scheme
        self.path = path
    }

    /// True if the URL has an authority, that is, whether `//` follows its scheme.
    ///
    /// The authority may be empty.
    public var hasAuthority: Bool { host != nil }

    /// Userinfo, host and port together, without the `//`; nil when there is no authority.
    public var authority: ByteRange? {
        guard let host else { return nil }
        return ByteRange(start: userinfo?.start ?? host.start, end: port?.end ?? host.end)
    }

    /// The same parts for bytes that begin `offset` further on.
    @inline(__always) public func shifted(by offset: Int32) -> URLParts {
        var result = URLParts(scheme: scheme.moved(by: offset), path: path.moved(by: offset))
        result.userinfo = userinfo?.moved(by: offset)
        result.host = host?.moved(by: offset)
        result.port = port?.moved(by: offset)
        result.portNumber = portNumber
        result.query = query?.moved(by: offset)
        result.fragment = fragment?.moved(by: offset)
        return result
    }
}
