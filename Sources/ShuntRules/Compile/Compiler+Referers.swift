import ShuntCore
import ShuntPatterns

/// `valid_referers` and signed links.
extension Compiler {
    /// Adds the names of `valid_referers none | blocked | server_names | NAME[/URI] | ~REGEX ...`.
    mutating func addReferers(_ directive: Directive, to lists: inout Lists) {
        var rules = lists.referers ?? RefererRules()
        for word in directive.arguments {
            switch word.text {
            case "none": rules.allowsNone = true
            case "blocked": rules.allowsBlocked = true
            case "server_names": rules.usesServerNames = true
            default:
                if word.bytes.isEmpty {
                    error("invalid-referer", "a referer needs a name", at: word, suggestion: "take the \"\" out")
                    continue
                }
                if word.bytes.first == UInt8(ascii: "~") {
                    let bytes = Array(word.bytes.dropFirst())
                    if bytes.isEmpty {
                        error(
                            "invalid-referer",
                            "empty regular expression in \(word.shownText)",
                            at: word,
                            suggestion: "write it behind the ~"
                        )
                    } else if let number = pattern(bytes, of: word, offset: 1, isCaseless: true) {
                        rules.patterns.append(number)
                    }
                    continue
                }
                let slash = word.bytes.firstIndex(of: UInt8(ascii: "/")) ?? word.bytes.count
                let name = Array(word.bytes[..<slash])
                let path = Array(word.bytes[slash...])
                let inserted = lists.refererNames.add(name.span, value: Int32(rules.paths.count))
                switch inserted {
                case .added:
                    rules.paths.append(path)
                    rules.listed.append(name)
                case .duplicate:
                    error(
                        "duplicate-referer",
                        "\(word.shownText) is among the valid referers already",
                        at: word,
                        suggestion: path.isEmpty
                            ? "take it out" : "a host may have one path only; use \"~\" for several"
                    )
                case .malformed, .full:
                    error(
                        "invalid-referer",
                        "invalid host name or wildcard \(word.shownText)",
                        at: word,
                        suggestion: Self.wildcardAdvice
                    )
                }
            }
        }
        let hasNames = !rules.listed.isEmpty || rules.usesServerNames
        if rules.allowsNone || rules.allowsBlocked, !hasNames {
            error(
                "missing-referers",
                "\"none\" and \"blocked\" mean nothing without a name that is valid",
                at: directive.name,
                suggestion: "add a host's name, or \"server_names\""
            )
        }
        lists.referers = rules
    }

    /// Adds the names of the server to referers that ask for them.
    mutating func addServerNames(to settings: inout Settings) {
        guard settings.referers >= 0, tables.referers[Int(settings.referers)].usesServerNames else { return }
        var rules = tables.referers[Int(settings.referers)]
        rules.usesServerNames = false
        var builder = HostTableBuilder()
        for (index, name) in rules.listed.enumerated() { _ = builder.add(name.span, value: Int32(index)) }
        for name in currentServerNames where name.pattern >= 0 { rules.hostPatterns.append(name.pattern) }
        for name in currentServerNames where name.pattern < 0 && !name.bytes.isEmpty {
            switch builder.add(name.bytes.span, value: Int32(rules.paths.count)) {
            case .added: rules.paths.append([])
            case .duplicate:
                error(
                    "duplicate-referer",
                    "\(name.word.shownText) is among the valid referers twice",
                    at: name.word,
                    suggestion:
                        "\"server_names\" in \"valid_referers\" stands for the names of this server: list each once"
                )
            case .malformed, .full:
                error("invalid-referer", "invalid host name or wildcard \(name.word.shownText)", at: name.word)
            }
        }
        rules.names = builder.build()
        settings.referers = tables.referers.adding(rules)
    }

    /// The old and the new way of signing links exclude each other in one block.
    mutating func checkSecureLink(_ directives: [Directive]) {
        guard let secret = directives.first(where: { Self.keyword($0) == .secureLinkSecret }),
            let other = directives.first(where: {
                Self.keyword($0) == .secureLink || Self.keyword($0) == .secureLinkMD5
            })
        else { return }
        error(
            "mixed-secure-link",
            "\"secure_link_secret\" cannot stand beside \(other.name.shownText)",
            at: secret.name,
            suggestion: "use \"secure_link\" with \"secure_link_md5\"",
            notes: [note("the other is here", at: other.name.position)]
        )
    }
}
