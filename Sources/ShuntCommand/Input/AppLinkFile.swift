import Shunt
import ShuntAppLinks

/// An association file of either kind.
enum AppLinkFile {
    case apple(AppSiteAssociation)
    case android(AssetLinks)
    case wrong([Diagnostic])

    /// The largest file that is read, in bytes.
    static let limit = 1 << 24

    /// Reads a file: Google's is a list or has its name, any other is Apple's.
    ///
    /// With `isTolerant`, errors that devices are known to read past are warnings of the file.
    init(_ path: String, isTolerant: Bool = false) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.read(path, limit: Self.limit)
        } catch {
            self = .wrong([Diagnostic(.error(.unreadable), "cannot be read: \(error)", at: .whole(path))])
            return
        }
        do throws(AppLinksError) {
            switch (Self.isGoogles(bytes, path), isTolerant) {
            case (true, true): self = .android(try AssetLinks.tolerant(reading: bytes, named: path))
            case (true, false): self = .android(try AssetLinks(reading: bytes, named: path))
            case (false, true): self = .apple(try AppSiteAssociation.tolerant(reading: bytes, named: path))
            case (false, false): self = .apple(try AppSiteAssociation(reading: bytes, named: path))
            }
        } catch {
            self = .wrong(error.diagnostics)
        }
    }

    /// True for a list, for a statement without the list around it, and for everything with the name of Google's file.
    private static func isGoogles(_ bytes: [UInt8], _ path: String) -> Bool {
        if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") { return true }
        if path.split(separator: "/").last == "assetlinks.json" { return true }
        let members = (try? JSONReader.readPlaced(bytes))?.members ?? []
        return members.contains { ["relation", "target", "relation_extensions"].contains($0.name) }
    }

    var problems: [Diagnostic] {
        switch self {
        case .apple(let file): file.warnings
        case .android(let file): file.warnings
        case .wrong(let problems): problems
        }
    }

    func explain(_ url: String) throws(URLSyntaxError) -> [AppLinkAnswer] {
        switch self {
        case .apple(let file): try file.explain(url)
        case .android(let file): try file.explain(url)
        case .wrong: []
        }
    }
}
