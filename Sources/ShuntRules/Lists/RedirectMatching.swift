import ShuntCore
import ShuntPatterns

/// The comparison of the source of a row with the path of a request.
package enum RedirectMatching: Sendable {
    case whole
    case start
    case end
    case part
    /// The source is a regular expression.
    case expression
}

extension RedirectSource {
    /// Reads the source of a row that is compared otherwise than as a whole path.
    ///
    /// - Returns: Nil where the text is not a path, or is an expression that a decoded path cannot be compared with: one that
    ///   does not begin at the start of the path, leaves the end of it open, or reads the query.
    init?(_ text: ArraySlice<UInt8>, matching: RedirectMatching, isCaseless: Bool) {
        var expression: [UInt8]
        if matching == .expression {
            guard let inner = Self.inner(of: text) else { return nil }
            expression = Array(inner)
        } else {
            guard text.first == UInt8(ascii: "/"), !text.contains(where: { "?#".utf8.contains($0) }),
                let decoded = URLComponentCoding.decode(Array(text).span)
            else { return nil }
            // What begins anywhere has the slash of the reader before it.
            let isAnywhere = matching == .end || matching == .part
            expression = Self.escaped(isAnywhere ? Array(decoded.dropFirst()) : decoded)
            if isAnywhere { expression = Array("/.*".utf8) + expression }
            if matching == .start || matching == .part { expression += ".*".utf8 }
        }
        expression = Array((isCaseless ? "(?si:" : "(?s:").utf8) + expression + [UInt8(ascii: ")")]
        guard let compiled = try? RegularExpression(expression, caseless: false) else { return nil }
        self.init(expression: expression, groupCount: compiled.captureCount)
    }

    /// An expression without the anchors around it; nil where it is not one of whole paths.
    private static func inner(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.starts(with: "^/".utf8) else { return nil }
        var inner = text.dropFirst()
        if inner.last == UInt8(ascii: "$") {
            inner.removeLast()
            let escapes = inner.reversed().prefix { $0 == UInt8(ascii: "\\") }
            guard escapes.count.isMultiple(of: 2) else { return nil }
        } else if !["(.*)", "(.+)", ".*", ".+"].contains(where: { inner.suffix($0.utf8.count).elementsEqual($0.utf8) })
        {
            return nil
        } else if inner.last != UInt8(ascii: ")"), inner.dropLast(2).last == UInt8(ascii: "\\") {
            // A dot, and no end that is open.
            return nil
        }
        return isForPaths(inner) ? inner : nil
    }

    /// Returns true if an expression has nothing that a decoded path lacks, and no alternative that its anchors are not around.
    private static func isForPaths(_ inner: ArraySlice<UInt8>) -> Bool {
        var depth = 0
        var index = inner.startIndex
        while index < inner.endIndex {
            let byte = inner[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\\"):
                if index < inner.endIndex, inner[index] == UInt8(ascii: "?") { return false }
                index += 1
            case UInt8(ascii: "["): guard skipClass(inner, &index) else { return false }
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "|"): guard depth > 0 else { return false }
            case UInt8(ascii: "%"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "^"): return false
            default: break
            }
        }
        return true
    }
}
