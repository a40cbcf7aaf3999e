import ShuntCore

/// A replacement of the beginning of the URL that leaves the rest unchanged: a constant, and after it one capture.
///
/// Where the capture is all that is left of a URL that has been taken apart, its parts are known, so the result need not be
/// taken apart again: `rewrite_url ^http:(.*) https:$1` and `rewrite_url ^http://a\.test/(.*) https://b.test/$1`.
struct URLBeginning: Sendable {
    let capture: Int8
    /// True if the scheme is `http` or `https`.
    let isWeb: Bool
    /// True if the host is written as hosts are compared, and is alone; of a scheme alone it is not known.
    let hasNormalHost: Bool
    /// The place where the scheme ends.
    let schemeEnd: Int16
    /// The place where the host ends and the path begins; 0 for a scheme alone.
    let pathStart: Int16
    let count: Int16

    /// The beginning that is `constant`; nil if it is not a beginning, or has in it what is rare: a user, a port, a
    /// query.
    init?(_ constant: [UInt8], capture: Int) {
        guard constant.count < Int16.max, let capture = Int8(exactly: capture) else { return nil }
        self.capture = capture
        count = Int16(constant.count)
        if constant.elementsEqual("https:".utf8) || constant.elementsEqual("http:".utf8) {
            isWeb = true
            hasNormalHost = false
            schemeEnd = count - 1
            pathStart = 0
            return
        }
        // The host of a short URL is not read as a whole.
        let url = constant + [UInt8](repeating: UInt8(ascii: "a"), count: 32)
        let arena = ByteArena(capacity: url.count)
        arena.append(url)
        guard let split = try? URLParser.split(arena.range(from: 0), in: arena), let host = split.parts.host,
            split.parts.userinfo == nil, split.parts.port == nil, split.parts.query == nil, split.parts.fragment == nil,
            Int(split.parts.path.start) < constant.count, host.start == split.parts.scheme.end + 3
        else { return nil }
        isWeb = split.isWeb
        hasNormalHost = split.hasNormalHost
        schemeEnd = Int16(split.parts.scheme.end)
        pathStart = Int16(split.parts.path.start)
    }
}
