import Shunt

/// Looks the URLs of text files up in a table.
struct LinkCheck {
    /// The largest file that is read, in bytes.
    static let limit = 1 << 26
    /// The most entries of a directory that are read.
    static let entries = 1 << 20

    private let table: RouteTable
    private let file: RouteTableFile
    private let schemes: [[UInt8]]
    private let files = LocalFileSystem()
    private let addresses: [String]
    private let shapes: [LinkShape]
    private(set) var found = 0
    /// The URLs that lead nowhere, and the files that could not be read.
    private(set) var diagnostics: [Diagnostic] = []

    /// Prepares a check; nil if the file has no table.
    init?(_ file: RouteTableFile, schemes: [String]) {
        guard let table = file.table else { return nil }
        self.file = file
        self.table = table
        self.schemes = schemes.map { Array($0.lowercased().utf8) }
        addresses = table.routes.map(\.fullPattern.text)
        shapes = table.routes.map { LinkShape($0.fullPattern, table.options) }
    }

    func hasRoutes(of scheme: String) -> Bool {
        table.routes.contains { [nil, scheme.lowercased()].contains($0.fullPattern.scheme) }
    }

    /// Checks a file, or all files below a directory but those that are hidden.
    mutating func look(at path: String, isNamed: Bool = true) {
        do throws(FileError) {
            switch try files.attributes(path).kind {
            case .directory:
                for name in try files.list(try files.realPath(path), limit: Self.entries).sorted()
                where !name.hasPrefix(".") {
                    look(at: path.hasSuffix("/") ? path + name : path + "/" + name, isNamed: false)
                }
            case .regular:
                look(at: RuleFile(name: path, bytes: try InputFile.read(path, limit: Self.limit)))
            default: if isNamed { note("neither a file nor a folder", at: path) }
            }
        } catch {
            note("cannot be read: \(error)", at: path)
        }
    }

    private mutating func note(_ problem: String, at path: String) {
        diagnostics.append(Diagnostic(.error(.unreadable), problem, at: .whole(path)))
    }

    private mutating func look(at file: RuleFile) {
        var scanner = LinkScanner(file.bytes, schemes: schemes)
        while let link = scanner.next() {
            found += 1
            if !leadsSomewhere(link.template) { report(link, in: file) }
        }
    }

    private func leadsSomewhere(_ template: LinkTemplate) -> Bool {
        if template.isWhole, matches(template.beginning) || isAddress(template.beginning) { return true }
        let compared = template.compared
        guard compared.contains(.placeholder) else { return !template.isWhole && matches(template.path) }
        return shapes.contains { $0.mayTake(compared, scheme: template.scheme) }
    }

    private func matches(_ url: String) -> Bool { file.resolve(Array(url.utf8))?.match != nil }

    /// True if a text is an address itself, up to a constraint: a program declares it there.
    private func isAddress(_ text: String) -> Bool {
        addresses.contains { $0.hasPrefix(text) && [nil, "("].contains($0.dropFirst(text.count).first) }
    }

    private mutating func report(_ link: LinkScanner.Found, in file: RuleFile) {
        let text = String(decoding: file.bytes[link.place], as: UTF8.self)
        let path = String(link.template.beginning.prefix { $0 != "?" && $0 != "#" })
        let nearest = Suggestion.closest(to: path, among: addresses) ?? table.resolve(path).miss?.suggestion
        let problem = file.diagnostic(
            .error(.deadLink),
            "\"\(text)\" leads nowhere",
            at: file.place(of: link.place.lowerBound),
            length: link.place.count,
            suggestion: nearest.map { "did you mean \"\($0)\"?" }
        )
        diagnostics.append(problem)
    }
}
