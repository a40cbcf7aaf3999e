import ShuntCore

/// Signed links: `secure_link`, `secure_link_md5` and `secure_link_secret`.
enum SecureLinkCompiler {
    /// Sets one of the three for a level; the old and the new way replace each other.
    static func set(_ keyword: Keyword, word: Word, in settings: inout Settings, context: inout CompileContext) {
        switch keyword {
        case .secureLink:
            settings.secureLink = context.template(word)
            settings.secureLinkSecret = .empty
        case .secureLinkMD5:
            settings.secureLinkMD5 = context.template(word)
            settings.secureLinkSecret = .empty
        default: settings.secureLinkSecret = context.constant(word.bytes)
        }
    }

    /// The old and the new way of signing links exclude each other in one block.
    static func check(_ directives: [CheckedDirective], in context: inout CompileContext) {
        guard let secret = directives.first(where: { $0.keyword == .secureLinkSecret }),
            let other = directives.first(where: { [.secureLink, .secureLinkMD5].contains($0.keyword) })
        else { return }
        let message = "\"secure_link_secret\" cannot be combined with \(other.name.shownText)"
        let advice = "use \"secure_link\" with \"secure_link_md5\""
        let note = context.note("the other is here", at: other.name.position)
        context.error(.mixedSecureLink, message, at: secret.name, suggestion: advice, notes: [note])
    }
}
