import Shunt

/// One form of a route's path as patterns with wildcards.
struct AppLinkFormText {
    /// The patterns, and those of the fragment: more than one where a type has few values.
    ///
    /// `stem` is the text before a wildcard that Android lets take the slash after it alone.
    private(set) var patterns: [(path: String, fragment: String?, stem: String?)] = []
    /// The patterns of longer paths that the wildcards take, and the route does not.
    private(set) var exclusions: [String] = []
    /// The reasons why a pattern is wider than the route.
    private(set) var reasons: [String] = []
    /// The number of slashes in the path; more than any path has if a rest follows.
    let depth: Int

    /// A pattern in the making.
    private struct Text {
        var text = ""
        /// The text before the first wildcard; nil while there is none.
        var beginning: String?
        /// The text before a last wildcard in the same component; nil if it has none.
        var stem: String?
    }

    private let platform: AppLinkPlatform
    private let endsOpen: Bool

    init(_ form: [PatternFormPart], platform: AppLinkPlatform, in variables: inout AppLinkVariables) {
        self.platform = platform
        let fragmentStart = form.firstIndex(of: .fragment) ?? form.endIndex
        let path = Array(form[..<fragmentStart])
        endsOpen = path.last == .rest || path.last == .other
        depth = endsOpen ? Int.max : path.count { $0 == .slash }
        let texts = texts(path, &variables)
        var fragments: [String?] = [nil]
        if fragmentStart < form.endIndex {
            let fragment = Array(form[(fragmentStart + 1)...])
            fragments = self.texts(fragment, &variables).map(\.text)
            if fragment.contains(where: Self.isOpen) { reasons.append("a wildcard in a fragment takes slashes") }
        }
        for text in texts {
            for fragment in fragments {
                for path in spellings(text.text.isEmpty ? "/" : text.text) {
                    patterns.append((path, fragment, platform == .android ? text.stem : nil))
                }
            }
        }
        if endsOpen { checkBeforeRest(path) } else { exclude(path, texts) }
    }

    /// The pattern, and on Android the one with a slash at the end unless a wildcard takes it.
    private func spellings(_ path: String) -> [String] {
        platform == .apple || path.hasSuffix("/") || path.hasSuffix("*") ? [path] : [path, path + "/"]
    }

    /// The parts as patterns; each type with few values multiplies them.
    private mutating func texts(_ parts: [PatternFormPart], _ variables: inout AppLinkVariables) -> [Text] {
        let isGlob = platform == .android && isGlob(parts)
        var texts = [Text()]
        var index = 0
        while index < parts.count {
            var choices = self.choices(parts[index], isGlob: isGlob, &variables)
            let isOpen = Self.isOpen(parts[index])
            let isWithin = isOpen && index > 0 && parts[index - 1] != .slash
            if platform == .android, isOpen, let end = endOfComponent(parts, from: index) {
                choices = ["?*"]
                reasons.append("on Android a wildcard ends at the first place of what follows it")
                index = end - 1
            }
            texts = texts.flatMap { text in
                choices.map { choice in
                    let beginning = text.beginning ?? (isOpen ? text.text : nil)
                    return Text(text: text.text + choice, beginning: beginning, stem: isWithin ? text.text : nil)
                }
            }
            index += 1
        }
        return texts
    }

    /// True if Android compares a full stop in the pattern as a wildcard.
    private func isGlob(_ parts: [PatternFormPart]) -> Bool {
        parts.contains { Self.isOpen($0) && $0 != .other } || parts.dropLast().contains { $0 == .rest || $0 == .other }
    }

    /// The end of the component, if Android ends the wildcard at `index` too early in it: if anything but a slash follows.
    private func endOfComponent(_ parts: [PatternFormPart], from index: Int) -> Int? {
        guard index + 1 < parts.count, parts[index] != .oneByte, parts[index + 1] != .slash,
            parts[index + 1] != .rest
        else { return nil }
        return parts[index...].firstIndex(of: .slash) ?? parts.count
    }

    private mutating func choices(
        _ part: PatternFormPart,
        isGlob: Bool,
        _ variables: inout AppLinkVariables
    ) -> [String] {
        switch part {
        case .text(let bytes): return [literal(bytes, isGlob: isGlob)]
        case .slash: return ["/"]
        case .rest: return ["*"]
        case .oneByte: return ["?"]
        case .value(nil): return ["?*"]
        case .value(.bool?): return ["true", "false"]
        case .value(.uuid?):
            let digit = platform == .apple ? "$(xdigit)" : "?"
            if platform == .android { reasons.append("Android has no pattern for the digits of the type uuid") }
            return [[8, 4, 4, 4, 12].map { String(repeating: digit, count: $0) }.joined(separator: "-")]
        case .value(let type?):
            reasons.append("a wildcard takes more than the type \(type.rawValue)")
            return ["?*"]
        case .expression(let expression, let name):
            guard let words = AppLinkVariables.words(of: expression) else {
                reasons.append("a wildcard takes more than an expression")
                return ["?*"]
            }
            let texts = words.map { literal($0, isGlob: isGlob) }
            return platform == .apple ? ["$(\(variables.name(for: texts, wanted: name)))"] : texts
        case .other:
            reasons.append("a wildcard takes more than what is around the rest")
            return ["*"]
        case .fragment: return [""]
        }
    }

    /// A text as the platform compares it; what is a wildcard there becomes one character of any kind.
    private mutating func literal(_ bytes: [UInt8], isGlob: Bool) -> String {
        var text = ""
        if platform == .android {
            for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                let isWildcard = scalar == "*" || scalar == "?" || (scalar == "." && isGlob)
                if isWildcard { addReason(scalar) }
                text.unicodeScalars.append(isWildcard && scalar != "." ? "?" : scalar)
            }
            return text
        }
        let encoded = URLComponentCoding.encode(bytes.span, for: .pathSegment)
        for (index, byte) in encoded.enumerated() {
            let isVariable =
                byte == UInt8(ascii: "$") && index + 1 < encoded.count && encoded[index + 1] == UInt8(ascii: "(")
            if byte == UInt8(ascii: "*") || isVariable {
                text += "?"
                addReason(Unicode.Scalar(byte))
            } else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return text
    }

    private mutating func addReason(_ scalar: Unicode.Scalar) {
        let reason = "\"\(scalar)\" can only be expressed as any character"
        if !reasons.contains(reason) { reasons.append(reason) }
    }

    private static func isOpen(_ part: PatternFormPart) -> Bool {
        switch part {
        case .value(.bool?), .value(.uuid?): false
        case .expression(let expression, _): AppLinkVariables.words(of: expression) == nil
        case .value, .oneByte, .other: true
        case .text, .slash, .rest, .fragment: false
        }
    }

    /// The longer paths that begin as the route does.
    ///
    /// A last `/*` may be missing on Apple's devices, so the pattern ends in `?*`.
    private mutating func exclude(_ path: [PatternFormPart], _ texts: [Text]) {
        guard let first = path.firstIndex(where: Self.isOpen) else { return }
        let slashes = path[first...].count { $0 == .slash } + 1
        for text in texts {
            guard let beginning = text.beginning else { continue }
            exclusions.append(beginning + String(repeating: "*/", count: slashes) + "?*")
        }
    }

    /// Before a rest no exclusion helps, since a longer path may belong to the route: a wildcard there has to be a whole
    /// component, and on Apple's devices what follows it has to take anything too.
    private mutating func checkBeforeRest(_ path: [PatternFormPart]) {
        guard let first = path.firstIndex(where: Self.isOpen) else { return }
        let takesSlashes = path[first...].indices
            .contains { index in
                if Self.isOpen(path[index]) { return index == 0 || path[index - 1] != .slash }
                return platform == .apple && path[index] != .slash && path[index] != .rest
            }
        if takesSlashes { reasons.append("a wildcard before the rest takes slashes") }
    }
}
