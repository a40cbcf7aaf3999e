import ShuntCore

/// `RewriteRule` in its scope: with the rules that chain to it, or skip it.
extension ApacheImport {
    mutating func rewrite(_ directive: ApacheDirective, _ scope: ApacheScope) {
        let conditions = scope.conditions
        scope.conditions = []
        guard scope.isRewriting else { return remark(directive, "RewriteEngine is not on") }
        count += 1
        let (chain, isBroken, isIdle) = (scope.chain, scope.isChainBroken, scope.isChainIdle)
        (scope.chain, scope.isChainBroken, scope.isChainIdle) = (nil, false, false)
        let isMaybeSkipped = scope.brokenSkips > 0
        scope.brokenSkips = max(0, scope.brokenSkips - 1)
        // A rule counts as skipped, whatever becomes of it.
        var skips: [[ImportedTest]] = []
        for index in scope.skipped.indices where scope.skipped[index].count > 0 {
            skips.append([scope.skipped[index].test.opposite])
            scope.skipped[index].count -= 1
        }
        let line = directive.lines.upperBound
        var entry = ApacheScope.Entry(kind: .rewrite, items: scope.takeComments(), line: line, text: directive.shown)
        defer { scope.entries.append(entry) }
        do throws(Unsaid) {
            if isBroken { throw Unsaid("the rule before, to which it is chained, is not imported") }
            if isMaybeSkipped { throw Unsaid("a rule before, which may skip it, is not imported") }
            let read = try ApacheRewriteRule(directive, conditions: conditions, in: scope.context)
            for text in read.remarks { remark(directive, text) }
            for text in read.differences { notes.add(.inexact, directive.shown, line: line, reason: text) }
            for name in read.environment {
                let variable = ApacheText.environmentVariable(name)
                let before = scope.context.environment.updateValue([.variable(variable)], forKey: name) ?? []
                scope.context.belowEnvironment[name] = nil
                if before == [.variable(variable)] { continue }
                let value = try ApacheText(parts: before).string(ApacheCaptures())
                entry.items.append(.directive(["set", variable, value]))
            }
            scope.usesFirstPath = scope.usesFirstPath || read.tests?.usesFirstPath == true
            if read.tests?.hasLastOr == true {
                remark(directive, "the last OR joins nothing: what it is in applies to all in Apache")
            }
            guard !isIdle, var rule = read.rule else {
                scope.isChainIdle = read.isChained
                let reason = isIdle ? "the rule before, to which it is chained, never applies" : read.remarks.first
                entry.items.append(
                    .comment("# \(ShownBytes.text(name)):\(line) does nothing here: \(reason ?? "it does nothing")")
                )
                return
            }
            if let chain { rule.tests.append([chain]) }
            rule.tests += skips
            if read.isChained || read.skips > 0 {
                let name = "\(read.isChained ? "chain" : "skip")_\(line)"
                entry.items.append(.directive(["set", "$\(name)", ""]))
                rule.sets.append((name, "1"))
                let test = ImportedTest("$\(name)", .isTrue)
                if read.isChained { scope.chain = test }
                if read.skips > 0 { scope.skipped.append((test, read.skips)) }
            }
            scope.context.keepConstants(of: rule, pattern: directive.words[0])
            if let front = ApacheUnchanged.frontFile(of: rule) { rule.tests.append([front]) }
            if read.skipsIndex, let exception = ApacheIndex.exception(for: rule, names: indexNames) {
                rule.tests.append([exception])
            }
            entry.rule = rule
            entry.redirectsOn = read.redirectsOn
            entry.target = read.fixedTarget
            entry.isRelative =
                scope.context.base == scope.folder && directive.words.dropFirst().first?.hasPrefix("/") == false
            entry.items.append(.rule(rule))
            scope.context.hasChangedPath = scope.context.hasChangedPath || read.goesOn
            scope.note(rule)
        } catch {
            let flags = directive.flags.map { $0.uppercased() }
            scope.isChainBroken = flags.contains("C") || flags.contains("CHAIN")
            for flag in flags where flag.hasPrefix("S=") || flag.hasPrefix("SKIP=") {
                scope.brokenSkips = max(scope.brokenSkips, flag.split(separator: "=").last.flatMap { Int($0) } ?? 0)
            }
            leave(directive, conditions: conditions, reason: error.reason, in: scope, entry: &entry)
        }
    }

    /// Leaves a rule out; one that refuses does so without its conditions then.
    private mutating func leave(
        _ directive: ApacheDirective,
        conditions: [ApacheConditions.Written],
        reason: String,
        in scope: ApacheScope,
        entry: inout ApacheScope.Entry
    ) {
        for condition in conditions {
            let line = condition.directive.lines.lowerBound
            entry.items.append(.left(condition.directive.shown, reason: "of the rule below", line: line))
        }
        guard directive.refuses else {
            entry.items.append(left(directive, reason))
            return
        }
        entry.items.append(left(directive, "\(reason): refused without its conditions"))
        var rule = ImportedRule.refusal(directive.lines)
        if let plain = try? ApacheRewriteRule(directive, conditions: [], in: scope.context).rule, plain.refuses {
            rule.pattern = plain.pattern
        }
        entry.rule = rule
        entry.items.append(.rule(rule))
    }
}
