import ShuntCore

/// Directives of other modules that someone wants to be let through: `ignore_directive NAME...;`.
extension StructureCheck {
    /// Collects the names that the rules want ignored; they are for all files, wherever they are.
    mutating func collectNames(in directives: [Directive]) {
        for directive in directives {
            if directive.name.bytes.elementsEqual("http".utf8) { collectNames(in: directive.block ?? []) }
            guard directive.name.bytes.elementsEqual("ignore_directive".utf8) else { continue }
            for word in directive.arguments {
                let rows = table.rows(of: word.bytes)
                let isDone = rows.contains { $0.role.isDeciding && $0.unserved?.isForGateway != false }
                if isDone {
                    let message = "\(word.shownText) has a part in decisions, and cannot be ignored"
                    let advice =
                        "ignore_directive is for directives that Shunt does not know, or that the gateway does not do"
                    error(.ignoredDecision, message, at: word, suggestion: advice)
                } else {
                    fates.named.insert(word.bytes)
                }
            }
        }
    }

    /// Returns true if an unknown directive is let through.
    func mayBeIgnored(_ name: Word) -> Bool { ignoresUnknown || fates.named.contains(name.bytes) }
}
