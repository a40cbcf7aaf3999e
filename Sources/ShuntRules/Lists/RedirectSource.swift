import ShuntCore

/// The path of a row with wildcards, as an expression on decoded paths, and the groups that its target may use.
struct RedirectSource {
    /// The expression, without anchors.
    private(set) var expression: [UInt8] = []
    /// The groups by the names of the placeholders; `splat` and `*` for what a `*` stands for.
    private(set) var groups: [[UInt8]: Int] = [:]
    private(set) var groupCount = 0
    /// The first group on the query.
    private var firstQueryGroup = Int.max
    private(set) var problem: RowProblem?
    /// True if a part of it matches different texts.
    private(set) var hasWildcards = false
    /// True if the row is a regular expression, whose groups its target names with `$`.
    private(set) var isExpression = false
    private var literal: [UInt8] = []
    private let form: RedirectForm
    private let isBelow: Bool
    private let ignoresSlash: Bool

    /// The most groups: a target names them with one digit.
    private static let mostGroups = 9
    /// A group for any text, with line feeds, too: a path that has one is below its folder.
    private static let rest = "((?s:.*))"
    private static let splatNames = [Array("splat".utf8), Array("*".utf8)]

    init(_ path: ArraySlice<UInt8>, _ form: RedirectForm, ignoresSlash: Bool) {
        self.form = form
        self.ignoresSlash = ignoresSlash
        var path = path
        // A folder and what is below it.
        let below = Array("{,/**}".utf8)
        isBelow = form == .firebase && path.suffix(below.count).elementsEqual(below)
        if isBelow { path = path.dropLast(below.count) + "/**".utf8 }
        var index = path.startIndex
        while index < path.endIndex {
            let byte = path[index]
            index += 1
            switch byte {
            case UInt8(ascii: "*") where form != .bulk:
                readStar(path, &index)
            case UInt8(ascii: ":") where form.isOrdered && isName(path, at: index):
                readPlaceholder(path, &index)
            case UInt8(ascii: "(") where form == .vercel:
                let inner = Self.group(path, &index)
                if inner.isEmpty { problem = .wildcard }
                let isOptional = index < path.endIndex && path[index] == UInt8(ascii: "?")
                if isOptional { index += 1 }
                let isFollowed = index < path.endIndex
                addTail(
                    "(\(String(decoding: inner, as: UTF8.self)))",
                    isOptional: isOptional,
                    isFollowed: isFollowed,
                    []
                )
            case UInt8(ascii: "?") where form == .vercel, UInt8(ascii: "{") where form == .vercel: problem = .wildcard
            case UInt8(ascii: "?") where form == .firebase: addAny("[^/]")
            case UInt8(ascii: "{") where form == .firebase: readAlternatives(path, &index)
            case UInt8(ascii: "[") where form == .firebase: problem = .wildcard
            case UInt8(ascii: "(") where form == .firebase && index - 2 >= path.startIndex:
                // `@(a|b)` and the like; other brackets are text.
                if "@!+?*".utf8.contains(path[index - 2]) { problem = .wildcard }
                literal.append(byte)
            default: literal.append(byte)
            }
        }
        finishLiteral()
        if hasWildcards, path.last != UInt8(ascii: "*") { ignoreLastSlash() }
        if groupCount > Self.mostGroups { problem = .wildcard }
    }

    /// Makes a source of an expression on decoded paths.
    init(expression: [UInt8], groupCount: Int) {
        (form, isBelow, ignoresSlash) = (.csv, false, false)
        (self.expression, self.groupCount) = (expression, groupCount)
        (hasWildcards, isExpression) = (true, true)
        if groupCount > Self.mostGroups { problem = .wildcard }
    }

    /// Returns true if a group is on the query, and its text as encoded as in that.
    func isOnQuery(_ group: Int) -> Bool { group >= firstQueryGroup }

    /// Makes the slash at the end one that may be there or not, where the list allows it.
    private mutating func ignoreLastSlash() {
        guard ignoresSlash else { return }
        if expression.count > 1, expression.last == UInt8(ascii: "/") { expression.removeLast() }
        expression += "/?".utf8
    }

    private func isName(_ path: ArraySlice<UInt8>, at index: Int) -> Bool {
        guard index < path.endIndex, path[index].isASCIILetter || path[index] == UInt8(ascii: "_") else { return false }
        return form == .vercel || index - 2 >= path.startIndex && path[index - 2] == UInt8(ascii: "/")
    }

    private mutating func readStar(_ path: ArraySlice<UInt8>, _ index: inout Int) {
        if form == .vercel {
            problem = .wildcard
            return
        }
        var isLong = form != .firebase
        if form == .firebase, index < path.endIndex, path[index] == UInt8(ascii: "*") {
            isLong = true
            index += 1
        }
        if groups[Self.splatNames[0]] != nil, form != .firebase { problem = .wildcard }
        let isOptional = isLong && (ignoresSlash || isBelow)
        addTail(isLong ? Self.rest : "([^/]*)", isOptional: isOptional, isFollowed: false, Self.splatNames)
    }

    private mutating func readPlaceholder(_ path: ArraySlice<UInt8>, _ index: inout Int) {
        let name = Array(path[index...].prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") })
        index += name.count
        var inner = "[^/]+"
        if form == .vercel, index < path.endIndex, path[index] == UInt8(ascii: "(") {
            index += 1
            inner = String(decoding: Self.group(path, &index), as: UTF8.self)
            if inner.isEmpty { problem = .wildcard }
        }
        let modifier = index < path.endIndex && form != .pages ? path[index] : 0
        let isFollowed = index + 1 < path.endIndex
        let isAny = inner == "[^/]+"
        let several = "((?:\(inner))(?:/(?:\(inner)))*)"
        switch modifier {
        case UInt8(ascii: "*"):
            addTail(isAny ? Self.rest : several, isOptional: true, isFollowed: isFollowed, [name])
        case UInt8(ascii: "+") where form == .vercel:
            addTail(isAny ? "((?s:.+))" : several, isOptional: false, isFollowed: isFollowed, [name])
        case UInt8(ascii: "?") where form == .vercel:
            addTail("(\(inner))", isOptional: true, isFollowed: isFollowed, [name])
        default: return addGroup("(\(inner))", names: [name])
        }
        index += 1
    }

    /// Reads texts of which one is there, between braces.
    private mutating func readAlternatives(_ path: ArraySlice<UInt8>, _ index: inout Int) {
        let inner = path[index...].prefix { $0 != UInt8(ascii: "}") }
        let parts = inner.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let texts = parts.compactMap { URLComponentCoding.decode(Array($0).span).map(Self.escaped) }
        guard inner.endIndex < path.endIndex, parts.count > 1, texts.count == parts.count,
            !inner.contains(where: { "*?[({:".utf8.contains($0) })
        else {
            problem = .wildcard
            return
        }
        addAny("(?:" + texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|") + ")")
        index = inner.endIndex + 1
    }

    /// Adds a part that no target names.
    private mutating func addAny(_ text: String) {
        finishLiteral()
        hasWildcards = true
        expression += text.utf8
    }

    /// The expression in brackets whose first has been read; empty where it is not one group, or means different things to engines.
    private static func group(_ path: ArraySlice<UInt8>, _ index: inout Int) -> ArraySlice<UInt8> {
        let start = index
        var depth = 1
        if index < path.endIndex, "?*".utf8.contains(path[index]) { return [] }
        while index < path.endIndex {
            let byte = path[index]
            index += 1
            if byte == UInt8(ascii: "\\") {
                index = min(index + 1, path.endIndex)
            } else if byte == UInt8(ascii: "[") {
                guard skipClass(path, &index) else { return [] }
            } else if byte == UInt8(ascii: "(") {
                let isPlain = ["?:", "?=", "?!", "?<=", "?<!"].contains { path[index...].starts(with: $0.utf8) }
                guard isPlain else { return [] }
                depth += 1
            } else if byte == UInt8(ascii: ")") {
                depth -= 1
                if depth == 0 { return path[start..<(index - 1)] }
            }
        }
        return []
    }

    /// Skips a class whose bracket has been read; returns false for one that is empty, has another in it, or is not closed.
    static func skipClass(_ path: ArraySlice<UInt8>, _ index: inout Int) -> Bool {
        if index < path.endIndex, path[index] == UInt8(ascii: "^") { index += 1 }
        let start = index
        while index < path.endIndex, path[index] != UInt8(ascii: "]") {
            if path[index] == UInt8(ascii: "[") { return false }
            index += path[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < path.endIndex, index > start else { return false }
        index += 1
        return true
    }

    /// Adds a group; where that and the slash before it may be missing, both.
    private mutating func addTail(_ group: String, isOptional: Bool, isFollowed: Bool, _ names: [[UInt8]]) {
        // A path has its first slash.
        guard isOptional, literal.last == UInt8(ascii: "/"), isFollowed || expression.count + literal.count > 1 else {
            return addGroup(group, names: names)
        }
        literal.removeLast()
        addGroup("(?:/\(group))?", names: names)
    }

    private mutating func addGroup(_ text: String, names: [[UInt8]]) {
        finishLiteral()
        hasWildcards = true
        groupCount += 1
        expression += text.utf8
        for name in names { groups[name] = groupCount }
    }

    private mutating func finishLiteral() {
        guard let decoded = URLComponentCoding.decode(literal.span) else {
            problem = .invalidSource
            return
        }
        expression += Self.escaped(decoded)
        literal.removeAll()
    }

    /// The expression that matches exactly these bytes.
    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 || byte == UInt8(ascii: "/") || byte == 0
                ? [byte] : [UInt8(ascii: "\\"), byte]
        }
    }

    /// Makes it one that is tried row by row, although it has no wildcard.
    mutating func separate() {
        if !hasWildcards { ignoreLastSlash() }
        hasWildcards = true
    }

    /// Adds the conditions on the query of `_redirects`: each name has the value, or any where it is a placeholder.
    mutating func addConditions(_ words: ArraySlice<UInt8>) {
        separate()
        firstQueryGroup = groupCount + 1
        expression += "\\?".utf8
        for word in words.split(whereSeparator: { $0 <= 0x20 }) {
            let equals = word.firstIndex(of: UInt8(ascii: "=")) ?? word.startIndex
            let value = word[(equals + 1)...]
            expression += Array("(?=(?:[^#]*&)?".utf8) + Self.escaped(Array(word[...equals]))
            if value.first == UInt8(ascii: ":"), value.count > 1 {
                groupCount += 1
                groups[Array(value.dropFirst())] = groupCount
                expression += "([^&]*)".utf8
            } else {
                expression += Self.escaped(Array(value))
            }
            expression += "(?:&|$))".utf8
        }
        expression += ".*".utf8
        if groupCount > Self.mostGroups { problem = .wildcard }
    }

    /// Makes it one for a path and what is below it, as Bulk Redirects read that.
    ///
    /// - Parameter targetEndsWithSlash: Whether the path of the target does, after which the rest is put without its own.
    mutating func addSubpaths(targetEndsWithSlash: Bool) {
        hasWildcards = true
        groupCount += 1
        let endsWithSlash = expression.last == UInt8(ascii: "/")
        if endsWithSlash { expression.removeLast() }
        switch (endsWithSlash, targetEndsWithSlash) {
        case (true, true): expression += "/\(Self.rest)".utf8
        case (true, false): expression += "(/(?s:.*))".utf8
        case (false, true): expression += "(?:/\(Self.rest))?".utf8
        case (false, false): expression += "(/(?s:.*))?".utf8
        }
    }
}
