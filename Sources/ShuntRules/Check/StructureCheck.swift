import ShuntCore

/// Checks that every directive is known, is where it may, and has the arguments and the block that it needs.
///
/// All problems are reported to the source. What comes back holds only directives for which that is true, each with its
/// role; `http` is taken off (what was in it is at the top level, in place) and ignored directives are gone.
/// The bodies of `map`, `geo`, `split_clients` and `types` are left unchanged: their entries are not directives.
package struct StructureCheck {
    var source: ParsedRules
    let table: DirectiveTable
    /// The directives for which nothing is done.
    var fates = FateCounts()
    /// True if directives that no one knows are ignored.
    let ignoresUnknown: Bool

    /// Takes the directives out of a source, checks them, and reports what is wrong to it.
    package static func run(
        _ source: inout ParsedRules,
        _ table: DirectiveTable = .standard,
        ignoringUnknown ignoresUnknown: Bool = false
    ) -> [CheckedDirective] {
        // What was read is needed no more once it is checked.
        let read = source.directives
        source.directives = []
        var check = StructureCheck(source: source, table: table, ignoresUnknown: ignoresUnknown)
        check.collectNames(in: read)
        let directives = check.check(read, in: Scope(context: .topLevel))
        check.fates.report(to: &check.source)
        source = check.source
        return directives
    }

    /// The block that directives are in.
    struct Scope {
        var context: Contexts
        /// The location around, if any.
        var location: LocationName?
        /// The settings so far, with their places.
        var settings: [String: Word] = [:]
        /// The locations so far, by kind and text.
        var locations: [LocationKey: Word] = [:]
        /// True if each `listen` of the server has `ssl`, so that `ssl on` adds nothing.
        var usesTLS = false
        /// True if the last directive was an `if` or `else if`.
        var allowsElse = false

        /// Contexts whose directives may be here.
        var accepted: Contexts { context == .topLevel ? [.topLevel, .http] : context }
    }

    /// The key by which two locations of a level are the same.
    struct LocationKey: Hashable {
        var modifier: LocationModifier
        var text: [UInt8]
    }

    /// The most directives that are split off one that lacks its `;`.
    private static let splits = 32

    // MARK: Walking

    private mutating func check(_ directives: [Directive], in scope: Scope) -> [CheckedDirective] {
        var scope = scope
        var result: [CheckedDirective] = []
        result.reserveCapacity(directives.count)
        if scope.context == .server { readListens(directives, in: &scope) }
        for index in directives.indices {
            var directive = directives[index]
            var row = row(of: directive.name, in: scope)
            for _ in 0..<Self.splits {
                guard let known = row, let rest = splitOff(&directive, known, in: scope) else { break }
                checkOne(directive, known, in: &scope, into: &result)
                directive = rest
                row = self.row(of: rest.name, in: scope)
            }
            checkOne(directive, row, in: &scope, into: &result)
        }
        return result
    }

    private mutating func checkOne(
        _ directive: Directive,
        _ row: DirectiveRow?,
        in scope: inout Scope,
        into result: inout [CheckedDirective]
    ) {
        let mayBeElse = scope.allowsElse
        scope.allowsElse = false
        guard let row else {
            let known = table.rows(of: directive.name.bytes)
            if known.isEmpty, mayBeIgnored(directive.name) {
                fates.count(directive.name, as: fates.named.contains(directive.name.bytes) ? .named : .unknown)
            } else if known.isEmpty {
                reportUnknown(directive, in: scope)
            } else {
                reportMisplaced(directive, known, in: scope)
            }
            // An `else` after an `if` that may not be here would only repeat the complaint.
            scope.allowsElse = directive.name.bytes.elementsEqual("if".utf8)
            return
        }
        if case .unsupported = row.role, fates.named.contains(directive.name.bytes) {
            return fates.count(directive.name, as: .named)
        }
        let isWhole = checkShape(directive, row) && checkOnce(directive, row, in: &scope)
        if let unserved = row.unserved {
            if unserved.isMissing(directive), !(scope.usesTLS && directive.name.text == "ssl") {
                fates.countUnserved(directive.name, unserved, isDeciding: row.role.isDeciding)
            }
        } else if case .ignored = row.role {
            fates.count(directive.name, as: .withoutEffect)
        } else if let (name, unserved) = UnservedDirectives.assigned(by: directive) {
            fates.countUnserved(name, unserved, isDeciding: false)
        }
        switch row.role {
        case .ignored: break
        case .unsupported(let advice):
            let message = "\(directive.name.shownText) cannot be used in Shunt"
            error(.unsupportedDirective, message, at: directive.name, suggestion: advice)
        case .accepted, .sets:
            if isWhole { result.append(CheckedDirective(directive, role: row.role)) }
        case .decides(let keyword):
            if keyword == .else, !checkElse(directive, mayBeElse) { return }
            if keyword == .if || keyword == .else && !directive.arguments.isEmpty { scope.allowsElse = true }
            descend(directive, keyword, isWhole: isWhole, in: &scope, into: &result)
        }
    }

    /// Notes if TLS is on for a server, and counts `http2` of its listens as the directive of that name.
    private mutating func readListens(_ directives: [Directive], in scope: inout Scope) {
        let listens = directives.filter { $0.name.bytes.elementsEqual("listen".utf8) }.map(\.arguments)
        scope.usesTLS =
            !listens.isEmpty && listens.allSatisfy { $0.contains { $0.bytes.elementsEqual("ssl".utf8) } }
        for word in listens.joined() where word.bytes.elementsEqual("http2".utf8) {
            fates.count(word, as: .withoutEffect)
        }
    }

    /// The directive of a name that may be in a scope.
    func row(of name: Word, in scope: Scope) -> DirectiveRow? {
        table.rows(of: name.bytes).first { !$0.contexts.isDisjoint(with: scope.accepted) }
    }

    /// Checks the block of a directive and keeps the directive if all of it is right.
    private mutating func descend(
        _ directive: Directive,
        _ keyword: Keyword,
        isWhole: Bool,
        in scope: inout Scope,
        into result: inout [CheckedDirective]
    ) {
        var checked = CheckedDirective(directive, role: .decides(keyword))
        var inner = Scope(context: .topLevel, location: scope.location)
        var isWhole = isWhole
        switch keyword {
        case .http: inner.context = .http
        case .server: inner.context = .server
        case .upstream: inner.context = .upstream
        case .match: inner.context = .match
        case .else: inner.context = .ifInURLPhase
        case .limitExcept: inner.context = .limitExcept
        case .location:
            inner.context = .location
            inner.location = nil
            if isWhole {
                inner.location = checkLocation(directive, in: &scope)
                isWhole = inner.location != nil
            }
        case .if:
            inner.context =
                switch scope.context {
                case .server: .ifInServer
                case .location: .ifInLocation
                default: .ifInURLPhase
                }
        default:
            checked.entries = directive.block ?? []
            if isWhole { result.append(checked) }
            return
        }
        let block = check(directive.block ?? [], in: inner)
        guard isWhole else { return }
        if keyword == .http {
            result += block
        } else {
            checked.block = block
            result.append(checked)
        }
    }

    // MARK: One directive

    /// Checks the block and the number of arguments.
    private mutating func checkShape(_ directive: Directive, _ row: DirectiveRow) -> Bool {
        let name = directive.name
        var isWhole = true
        if row.allows(block: directive.block) {
            // As it has to be.
        } else if row.hasBlock {
            let advice = "end it with \"{\" and \"}\", not with \";\""
            error(.missingBlock, "\(name.shownText) needs a block", at: name, suggestion: advice)
            isWhole = false
        } else {
            error(.unexpectedBlock, "\(name.shownText) has no block", at: name, suggestion: "end it with \";\"")
            isWhole = false
        }
        let count = directive.arguments.count
        let expected = row.arguments
        guard expected.allows(count) else {
            let excess = expected.maximum.flatMap { count > $0 ? directive.arguments[$0] : nil }
            error(
                .argumentCount,
                "\(name.shownText) takes \(expected.description), not \(count)",
                at: excess ?? name,
                suggestion: excess == nil
                    ? row.syntax.map { "write: \($0)" }
                    : TriedFirst.advice(on: directive)
                        ?? "put quotes around a text with spaces in it, or look for a missing \";\""
            )
            return false
        }
        if expected.isFlag, let value = directive.arguments.first {
            let text = value.bytes.map { $0 | 0x20 }
            guard text.elementsEqual("on".utf8) || text.elementsEqual("off".utf8) else {
                let message = "\(name.shownText) takes \"on\" or \"off\", not \(value.shownText)"
                error(.invalidFlag, message, at: value, suggestion: nil)
                return false
            }
        }
        if expected.isNumber, let value = directive.arguments.first, value.bytes.decimalNumber == nil {
            let message = "\(name.shownText) takes a number, not \(value.shownText)"
            error(.invalidNumber, message, at: value, suggestion: nil)
            return false
        }
        return isWhole
    }

    /// Checks that what may be set once is set once.
    private mutating func checkOnce(_ directive: Directive, _ row: DirectiveRow, in scope: inout Scope) -> Bool {
        guard let once = row.onceName else { return true }
        guard let first = scope.settings[once] else {
            scope.settings[once] = directive.name
            return true
        }
        source.report(
            .error(.duplicateDirective),
            "\(directive.name.shownText) is allowed only once in a block"
                + (first.bytes == directive.name.bytes ? "" : ", and not together with \(first.shownText)"),
            at: directive.name,
            suggestion: "remove one of them",
            notes: [source.diagnostic(.note(.duplicateDirective), "the first is here", at: first)]
        )
        return false
    }

    private mutating func checkElse(_ directive: Directive, _ mayBeElse: Bool) -> Bool {
        guard mayBeElse else {
            let advice = "put it after the \"}\" of an \"if\""
            error(.elseWithoutIf, "\"else\" without an \"if\" before it", at: directive.name, suggestion: advice)
            return false
        }
        guard let first = directive.arguments.first else { return true }
        guard first.bytes.elementsEqual("if".utf8), directive.arguments.count > 1 else {
            let message = "after \"else\" comes \"{\" or \"if (…) {\", not \(first.shownText)"
            error(.unexpectedElse, message, at: first, suggestion: nil)
            return false
        }
        return true
    }

    mutating func error(_ code: DiagnosticCode, _ message: String, at word: Word, suggestion: String?) {
        source.report(.error(code), message, at: word, suggestion: suggestion)
    }
}
