/// Targets that a `RewriteMap` has.
extension ApacheRewriteRule {
    /// Makes the value of a key the target; false where it is a part of a path as others.
    mutating func setLookup(
        _ rule: inout ImportedRule,
        map: String,
        key: ApacheText,
        otherwise: ApacheText,
        status: Int?
    ) throws(Unsaid) -> Bool {
        if case .lowercase? = context.maps.known[map] { return false }
        guard !has("P") else { throw Unsaid("a proxy whose server or query is computed") }
        let values = try context.maps.table(map).rows.map(\.value)
        let missing = try context.maps.string(otherwise, captures)
        let isExternal = status != nil || values.allSatisfy(Self.isAbsolute)
        if !isExternal {
            guard !(values + [missing]).contains(where: { $0.contains("?") || Self.isAbsolute($0) }) else {
                throw Unsaid("a RewriteMap with queries or other servers for paths")
            }
            let path = try context.maps.variable(of: map, key: key, captures) { value in whole(value ?? missing) }
            rule.action = .rewrite(path + ending(nil), continuation)
            return true
        }
        guard !missing.contains("$") else { throw Unsaid("a RewriteMap whose default is computed") }
        // A condition that there is a value needs no separate table.
        let lookup = ApacheText(parts: [.lookup(map: map, key: key, otherwise: ApacheText(parts: []))])
        let plain = try context.maps.string(lookup, captures)
        let isTested = rule.tests.firstIndex { $0.count == 1 && $0[0].subject == plain && $0[0].isPresence }
        let target = try context.maps.variable(of: map, suffix: "_target", key: key, captures) { value in
            value == nil && isTested != nil ? "" : location(value ?? missing)
        }
        if let isTested {
            rule.tests[isTested] = [ImportedTest(target, .equals(""), isNegated: true)]
        }
        if values.contains(where: { $0.contains("?") }), !has("UNSAFEALLOW3F") {
            differences.append("Apache refuses a value with a ? since 2.4.60, unless the rule has UnsafeAllow3F")
        }
        rule.hasWholeTarget = true
        rule.action = .redirect(status ?? 302, target)
        return true
    }

    /// A target with a variable in the place of each look-up, whose values have to be parts of a path unchanged.
    func embedded(_ target: ApacheText) throws(Unsaid) -> ApacheText {
        for case .lookup(let map, _, let other) in target.parts {
            if case .lowercase? = context.maps.known[map] { continue }
            let values = try context.maps.table(map).rows.map(\.value) + [other.constant ?? ""]
            guard values.allSatisfy({ ApacheText.escaped($0) == $0 && !$0.contains(":") }) else {
                throw Unsaid("a RewriteMap with more than parts of paths in a target")
            }
        }
        return try context.maps.resolved(target, captures)
    }

    private static func isAbsolute(_ value: String) -> Bool {
        value.prefixMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:\/\//#) != nil
    }

    /// A value as a path or a URL: others follow the folder.
    private func whole(_ value: String) -> String {
        Self.isAbsolute(value) || value.hasPrefix("/") ? value : context.base + value
    }

    /// A value as Apache would send it, with the query of the request where that is kept.
    private func location(_ value: String) -> String {
        let value = whole(value)
        let path = value.prefix { $0 != "?" }
        let query = value.dropFirst(path.count + 1)
        var result = has("NE") ? String(path) : ApacheText.escaped(String(path))
        if !query.isEmpty { result += "?\(query)" }
        let keeps = path.count == value.count ? !has("QSD") : has("QSA") && !has("QSD")
        if keeps { result += query.isEmpty ? "$is_args$args" : moreArguments }
        return result
    }

    /// The variable with the query of a request after an ampersand.
    var moreArguments: String {
        context.maps.tables.variable(
            named: "more_args",
            source: "$args",
            file: nil,
            rows: [(["default", "&$args"], nil), (["", ""], nil)]
        )
    }
}

extension ImportedTest {
    /// True if it is passed by each value but the empty one.
    fileprivate var isPresence: Bool {
        switch kind {
        case .equals(""): isNegated
        case .matches(let text, _): !isNegated && [".", ".+", "^.", "^.+", "^.+$"].contains(text)
        default: false
        }
    }
}
