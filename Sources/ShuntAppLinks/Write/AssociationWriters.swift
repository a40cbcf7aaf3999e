import ShuntCore

/// Writes Apple's file.
enum AppSiteAssociationWriter {
    static func json(_ file: AppSiteAssociation) -> [UInt8] {
        var text = AssociationText()
        text.open("{")
        if !file.details.isEmpty || !file.substitutionVariables.isEmpty { write(appLinks: file, to: &text) }
        let services = [
            ("webcredentials", file.webCredentials), ("appclips", file.appClips),
            ("activitycontinuation", file.activityContinuation), ("authsrv", file.authenticationServices),
        ]
        for (name, apps) in services where !apps.isEmpty {
            text.open("{", name)
            text.strings("apps", apps)
            text.close("}")
        }
        text.close("}")
        return text.bytes
    }

    private static func write(appLinks file: AppSiteAssociation, to text: inout AssociationText) {
        text.open("{", "applinks")
        write(file.defaults, to: &text)
        if !file.substitutionVariables.isEmpty {
            text.open("{", "substitutionVariables")
            for (name, values) in file.substitutionVariables.sorted(by: { $0.key < $1.key }) {
                text.strings(name, values)
            }
            text.close("}")
        }
        text.open("[", "details")
        for details in file.details {
            text.open("{")
            text.strings("appIDs", details.appIDs)
            write(details.defaults, to: &text)
            text.open("[", "components")
            for component in details.components {
                text.line { component.write(to: &$0, comment: "comment") }
            }
            text.close("]")
            text.close("}")
        }
        text.close("]")
        text.close("}")
    }

    private static func write(_ defaults: AppLinkComponent, to text: inout AssociationText) {
        guard !defaults.isEmpty else { return }
        text.line("defaults") { defaults.write(to: &$0, comment: "comment") }
    }
}

/// Writes Google's file.
enum AssetLinksWriter {
    static func json(_ file: AssetLinks) -> [UInt8] {
        var text = AssociationText()
        text.open("[")
        for include in file.includes {
            text.line { writer in writer.object { $0.member("include", include) } }
        }
        for statement in file.statements {
            text.open("{")
            text.strings("relation", statement.relations)
            text.line("target") { writer in
                writer.object { writer in
                    switch statement.target {
                    case .site(let site):
                        writer.member("namespace", "web")
                        writer.member("site", site)
                    case .app(let package, let fingerprints):
                        writer.member("namespace", "android_app")
                        writer.member("package_name", package)
                        writer.name("sha256_cert_fingerprints")
                        writer.array { writer in for print in fingerprints { writer.string(print) } }
                    }
                }
            }
            if let components = statement.components {
                text.open("{", "relation_extensions")
                text.open("{", AssetLinks.handlesURLs)
                text.open("[", "dynamic_app_link_components")
                for component in components { text.line { component.write(to: &$0, comment: "comments") } }
                text.close("]")
                text.close("}")
                text.close("}")
            }
            text.close("}")
        }
        text.close("]")
        return text.bytes
    }
}
