/// A rule of HTTPS Everywhere as arguments of `rewrite_url`.
///
/// The extension replaces what the expression matches and keeps the rest of the URL; `rewrite_url` replaces the whole
/// URL. So the expression gets one more group, for what follows the match. All expressions of the extension are
/// anchored at the start: it refuses others since its early days.
struct UpgradeRule {
    let expression: String
    let replacement: String
    /// True if the replacement needs `$dollar`, because a dollar sign cannot be written.
    let usesDollar: Bool

    init(_ rule: UpgradeRuleSet.Rule) throws(ConversionError) {
        let scan = try Self.scan(rule.from)
        guard rule.from.hasPrefix("^"), !scan.hasAlternatives else {
            throw ConversionError("the expression \"\(rule.from)\" is not anchored at the start of the URL")
        }
        let keepsRest = !scan.endsInDollar
        let rest = scan.groups + 1
        guard !keepsRest || rest <= 9 else {
            throw ConversionError("the expression \"\(rule.from)\" has more than 8 groups")
        }
        expression = rule.from + (keepsRest ? "(.*)" : "")
        var replacement = ""
        var usesDollar = false
        var characters = rule.to.unicodeScalars.makeIterator()
        var next = characters.next()
        while let character = next {
            next = characters.next()
            guard character == "$" else {
                replacement.unicodeScalars.append(character)
                continue
            }
            guard let following = next, ("0"..."9").contains(following) else {
                if let following = next, "$&`'<".unicodeScalars.contains(following) {
                    throw ConversionError("\"$\(following)\" in \"\(rule.to)\" is not supported")
                }
                replacement += "${dollar}"
                usesDollar = true
                continue
            }
            if let group = Int(String(following)), group > 0, group <= scan.groups {
                replacement += "$\(following)"
            } else {
                // A number without a group stands for itself.
                replacement += "${dollar}\(following)"
                usesDollar = true
            }
            next = characters.next()
        }
        self.replacement = replacement + (keepsRest ? "$\(rest)" : "")
        self.usesDollar = usesDollar
    }

    /// Returns the facts about an expression that need no full parse.
    private static func scan(
        _ expression: String
    ) throws(ConversionError) -> (groups: Int, hasAlternatives: Bool, endsInDollar: Bool) {
        let characters = Array(expression.unicodeScalars)
        var groups = 0
        var depth = 0
        var hasAlternatives = false
        var isInClass = false
        var endsInDollar = false
        var index = 0
        while index < characters.count {
            let character = characters[index]
            endsInDollar = false
            switch character {
            case "\\":
                index += 1
            case "]":
                isInClass = false
            case _ where isInClass:
                break
            case "[":
                isInClass = true
            case "(":
                depth += 1
                let isCapturing = index + 1 == characters.count || characters[index + 1] != "?"
                if isCapturing { groups += 1 }
                if !isCapturing, index + 2 < characters.count, !":=!".unicodeScalars.contains(characters[index + 2]) {
                    throw ConversionError("the expression \"\(expression)\" has a group of an unknown kind")
                }
            case ")":
                depth -= 1
            case "|":
                if depth == 0 { hasAlternatives = true }
            case "$":
                endsInDollar = true
            default:
                break
            }
            index += 1
        }
        return (groups, hasAlternatives, endsInDollar)
    }
}
