/// URLs with `*` in place of a part, such as `https://*.example.com/*`.
enum URLWildcards {
    /// Returns true if a URL is one that a pattern stands for.
    ///
    /// A `*` before the path stays before it: in a host it stands for no slash, so that no one gets a host of his choice past it.
    static func matches(_ pattern: [UInt8], _ url: [UInt8]) -> Bool {
        guard let (scheme, host, rest) = parts(pattern) else { return matches(pattern[...], url[...]) }
        guard let found = parts(url) else { return false }
        return matches(scheme, found.scheme) && matches(host, found.host) && matches(rest, found.rest)
    }

    /// Returns the text before `://`, the host with its port, and everything after them; nil without `://`.
    private static func parts(
        _ url: [UInt8]
    ) -> (scheme: ArraySlice<UInt8>, host: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")), url[colon...].starts(with: "://".utf8) else {
            return nil
        }
        let start = colon + 3
        let ends: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        let end = url[start...].firstIndex { ends.contains($0) } ?? url.endIndex
        return (url[..<colon], url[start..<end], url[end...])
    }

    /// Returns true if a text is a pattern's: what did not fit is tried one byte further after the last `*` only, so
    /// the time is at most the product of the lengths.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        var (index, offset) = (pattern.startIndex, text.startIndex)
        var retry: (index: Int, offset: Int)?
        while offset < text.endIndex {
            if index < pattern.endIndex, pattern[index] == UInt8(ascii: "*") {
                index += 1
                retry = (index, offset)
            } else if index < pattern.endIndex, pattern[index] == text[offset] {
                index += 1
                offset += 1
            } else if let last = retry {
                retry = (last.index, last.offset + 1)
                (index, offset) = (last.index, last.offset + 1)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
