import ShuntCore

/// `proxy_redirect`, as far as it is known before the upstream has answered.
extension Evaluation {
    /// Computes the values that the `proxy_redirect`s of the location in force need.
    mutating func setRedirectValues() throws(EvaluationFailure) {
        if !answer.redirectValues.isEmpty { answer.redirectValues.removeAll(keepingCapacity: true) }
        let index = program.tables.settings[server.settings].redirects
        if !index.isNone { answer.redirectValues = try replacementValues(index) }
    }

    mutating func replacementValues(_ index: TableIndex<[RedirectRule]>) throws(EvaluationFailure) -> [ByteRange] {
        var values: [ByteRange] = []
        for rule in program.tables.proxyRedirects[index] where rule.firstValue >= 0 {
            guard !rule.expression.isNone else {
                values.append(try evaluate(template: rule.prefix))
                values.append(try evaluate(template: rule.replacement))
                continue
            }
            var position = rule.replacement.position
            while true {
                let part = program.tables.parts[position]
                if part.kind == .variable, program.tables.group(named: part.variable, of: rule.expression) == nil {
                    values.append(try value(of: part.variable))
                }
                if part.isLast { break }
                position += 1
            }
        }
        return values
    }

    /// The changes to the Location of the upstream's answer; nil if it stays unchanged.
    var upstreamRedirects: UpstreamRedirects? {
        let index = program.tables.settings[server.settings].redirects
        guard !index.isNone, !program.tables.proxyRedirects[index].isEmpty else { return nil }
        var values: [[UInt8]] = []
        if program.tables.hasUpstreamValues { values = answer.redirectValues.map { arena.array($0) } }
        return UpstreamRedirects(rules: index, settings: server.settings, server: server.index, values: values)
    }
}
