import ShuntCore

/// The uses of a directive while they are counted.
struct CountedUses: Sendable {
    enum Reason: Sendable {
        /// It changes nothing that a client or an upstream gets.
        case withoutEffect
        /// `ignore_directive` names it.
        case named
        /// It is unknown, and the caller passes over those.
        case unknown
        /// It decides, and is not done in the gateway; `isDeciding` if the engine does its part.
        case unserved(UnservedDirective, isDeciding: Bool)
    }

    let first: Word
    let reason: Reason
    var count = 1

    var note: String? {
        if case .named = reason { return "listed in ignore_directive" }
        return IgnoredDirectives.notes[first.text]
    }
}

/// The directives of a rule set for which nothing is done, by their fates.
struct FateCounts: Sendable {
    private var uses: [String: CountedUses] = [:]
    /// The names in `ignore_directive`.
    var named: Set<[UInt8]> = []

    /// Counts a use; each name has one reason.
    mutating func count(_ name: Word, as reason: CountedUses.Reason) {
        let text = name.text
        if uses[text] == nil { uses[text] = CountedUses(first: name, reason: reason) } else { uses[text]?.count += 1 }
    }

    /// Counts a use of a directive that is not done, unless it is one that decides and that the rules name.
    mutating func countUnserved(_ name: Word, _ unserved: UnservedDirective, isDeciding: Bool) {
        let isNamed = named.contains(name.bytes)
        if isNamed, isDeciding { return }
        count(name, as: isNamed ? .named : .unserved(unserved, isDeciding: isDeciding))
    }

    /// Reports each directive that is not done, those that are unknown in one warning, and the others in one line.
    func report(to source: inout ParsedRules) {
        func place(_ use: CountedUses) -> (Int32, Int32, Int32) {
            (use.first.position.file, use.first.position.line, use.first.position.column)
        }
        var firstUnknown: Word?
        var unknown: [DirectiveUses] = []
        for use in uses.values.sorted(by: { place($0) < place($1) }) {
            let location = source.location(of: use.first.position)
            let uses = DirectiveUses(name: use.first.text, location: location, count: use.count, note: use.note)
            switch use.reason {
            case .unserved(let unserved, let isDeciding):
                Self.report(use, unserved, isDeciding: isDeciding, to: &source)
            case .unknown:
                if unknown.isEmpty { firstUnknown = use.first }
                unknown.append(uses)
            case .withoutEffect, .named: source.ignored.append(uses)
            }
        }
        if let firstUnknown {
            let list = unknown.map { "\"\($0.name)\" (line \($0.location.line))" }.joined(separator: ", ")
            let message = "\(list) \(unknown.count == 1 ? "is" : "are") unknown and ignored"
            let advice = "ignore_directive NAME...; in the rules works for all commands"
            source.report(.warning(.ignoredDirective), message, at: firstUnknown, suggestion: advice)
        }
        // The settings of a protocol would have an effect if the gateway spoke it: its `_pass` is reported.
        let idle = source.ignored.filter { use in !Self.protocols.contains { use.name.hasPrefix($0) } }
        guard let first = idle.first else { return }
        let count = idle.count
        let list =
            count <= Self.shownNames
            ? idle.map { "\"\($0.name)\"" }.joined(separator: ", ") : "\(count) directives"
        let message = "\(list) \(count == 1 ? "has" : "have") no effect on answers and upstreams"
        let more = count <= Self.shownNames ? "" : "; shunt check --ignored lists them"
        source.report(Diagnostic(.note(.ignoredDirectives), message + more, at: .whole(first.location.file)))
    }

    /// The beginnings of the names of protocols that the gateway does not speak to an upstream.
    private static let protocols = ["fastcgi_", "uwsgi_", "scgi_", "grpc_", "memcached_"]

    /// So many names are shown and not counted.
    private static let shownNames = 3

    /// Records a directive that is not done: a warning for all, if nothing else does it, and an error of serving.
    private static func report(
        _ use: CountedUses,
        _ unserved: UnservedDirective,
        isDeciding: Bool,
        to source: inout ParsedRules
    ) {
        let name = use.first.text
        let times = use.count == 1 ? "" : " (\(use.count) times)"
        if unserved.isForGateway {
            let message = "only the gateway does \"\(name)\"\(times): elsewhere \(unserved.consequence)"
            return source.report(.warning(.onlyServed), message, at: use.first)
        }
        var diagnostic = source.diagnostic(
            .warning(.notServed),
            "the gateway does not do \"\(name)\"\(times): \(unserved.consequence)",
            at: use.first,
            suggestion: unserved.goesToUpstream
                ? "name a server with --upstream, write ignore_directive \(name); at the top level, or use --accept \(name)"
                : "to serve without it, write ignore_directive \(name); at the top level, or use --accept \(name)"
        )
        if !isDeciding { source.report(diagnostic) }
        diagnostic.severity = .error
        source.unserved.append(UnservedUse(name: name, error: diagnostic, goesToUpstream: unserved.goesToUpstream))
    }
}
