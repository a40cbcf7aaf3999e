import ShuntCore

/// One spelling for arguments that mean the same: `${x}` is `$x`, `60m` is `1h`, `1024k` is `1m`.
enum DirectiveMeaning {
    /// The number of the first argument that is a text with variables, by the directive.
    private static let texts = [
        "return": 0, "proxy_pass": 0, "try_files": 0, "root": 0, "alias": 0, "error_page": 0, "set": 1, "add_header": 1,
        "proxy_set_header": 1, "rewrite": 1, "rewrite_url": 1, "log_format": 1,
    ]

    /// Returns another spelling of an argument that means the same; nil for one that has no other.
    ///
    /// - Parameters:
    ///   - word: The argument.
    ///   - written: The argument as written.
    ///   - place: Its number, the directive, and the directive around that.
    /// - Returns: The spelling.
    static func usual(
        _ word: Word,
        written: ArraySlice<UInt8>,
        at place: (index: Int, directive: String, parent: String?)
    ) -> [UInt8]? {
        let name = place.directive
        if name.hasSuffix("_timeout") || name.hasSuffix("_time") || name == "expires" {
            return ConfigurationUnits.milliseconds(word.bytes[...]).map { Array("\($0)ms".utf8) }
        }
        if name.hasSuffix("_size") || name == "limit_rate" || name == "limit_rate_after" {
            return ConfigurationUnits.offset(word.bytes[...]).map { Array("\($0)".utf8) }
        }
        let own = Array("fail_timeout=".utf8)
        if name == "server", place.parent == "upstream", word.bytes.starts(with: own) {
            return ConfigurationUnits.milliseconds(word.bytes[own.count...]).map { own + Array("\($0)ms".utf8) }
        }
        let isText =
            texts[name].map { place.index >= $0 } ?? (name == "map" ? place.index == 0 : place.parent == "map")
        return isText ? withoutBraces(written) : nil
    }

    /// A text with `$x` for each `${x}` that no letter follows; nil where there is none.
    private static func withoutBraces(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.contains(UInt8(ascii: "{")) else { return nil }
        func isName(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") }
        var result: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            let isEscaped = result.last == UInt8(ascii: "\\")
            result.append(byte)
            guard byte == UInt8(ascii: "$"), !isEscaped, rest.first == UInt8(ascii: "{") else { continue }
            let name = rest.dropFirst().prefix(while: isName)
            let after = rest.dropFirst(name.count + 1)
            guard !name.isEmpty, after.first == UInt8(ascii: "}"), after.dropFirst().first.map(isName) != true
            else { continue }
            result += name
            rest = after.dropFirst()
        }
        return result.count < text.count ? result : nil
    }
}
