/// The `Options` of a folder, as far as they let rewriting be used: Apache refuses all requests where rewriting is on and no link is followed.
struct ApacheOptions {
    private static let links: Set = ["followsymlinks", "symlinksifownermatch"]

    /// True if a list without signs takes the place of what the folders around have.
    private var isWhole = false
    private var added: Set<String> = []
    private var removed: Set<String> = []
    /// The last directive about links.
    private(set) var directive: ApacheDirective?

    /// True if nothing here changes what links do.
    var isEmpty: Bool { !isWhole && added.isEmpty && removed.isEmpty }

    init() {}

    /// The options of a section with one directive, of any name.
    init(_ directive: ApacheDirective) { if directive.key == "options" { read(directive) } }

    mutating func read(_ directive: ApacheDirective) {
        for (index, word) in directive.words.map({ $0.lowercased() }).enumerated() {
            var name = word.trimmingPrefix { "+-".contains($0) }.description
            if name == "all" { name = "followsymlinks" }
            switch word.first {
            case "-" where Self.links.contains(name):
                added.remove(name)
                removed.insert(name)
            case "+" where Self.links.contains(name):
                removed.remove(name)
                added.insert(name)
            case "+", "-": continue
            default:
                if index == 0 { (isWhole, added, removed) = (true, [], []) }
                if Self.links.contains(name) { added.insert(name) }
            }
            self.directive = directive
        }
    }

    /// The reason why `Options` are not imported; nil for those that decide nothing, or only what links do.
    static func reason(toLeave directive: ApacheDirective) -> String? {
        directive.words.contains { ["+multiviews", "multiviews"].contains($0.lowercased()) }
            ? "MultiViews finds files by a part of their name" : nil
    }

    /// True if folders without an index are listed after a directive, false if not; nil where it leaves that open.
    static func listsFolders(_ directive: ApacheDirective) -> Bool? {
        let words = directive.words.map { $0.lowercased() }
        if words.contains("-indexes") { return false }
        if words.contains(where: { ["+indexes", "indexes", "all"].contains($0) }) { return true }
        return words.contains { $0.hasPrefix("+") || $0.hasPrefix("-") } ? nil : false
    }

    /// Returns the directive after which no link is followed in the innermost of folders, from the outermost one; nil if links are followed.
    static func forbidding(_ chain: [ApacheOptions]) -> ApacheDirective? {
        var followed: Set = ["followsymlinks"]
        var last: ApacheDirective?
        for options in chain where !options.isEmpty {
            followed = options.isWhole ? options.added : followed.subtracting(options.removed).union(options.added)
            last = options.directive
        }
        return followed.isEmpty ? last : nil
    }
}
