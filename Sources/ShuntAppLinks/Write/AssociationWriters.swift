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
            text.line("apps", apps)
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
            for (name, values) in file.substitutionVariables.sorted(by: { $0.key < $1.key }) { text.line(name, values) }
            text.close("}")
        }
        text.open("[", "details")
        for details in file.details {
            text.open("{")
            text.line("appIDs", details.appIDs)
            write(details.defaults, to: &text)
            text.open("[", "components")
            for component in details.components { text.line(nil, component.object(comment: "comment")) }
            text.close("]")
            text.close("}")
        }
        text.close("]")
        text.close("}")
    }

    private static func write(_ defaults: AppLinkComponent, to text: inout AssociationText) {
        guard !defaults.isEmpty else { return }
        text.line("defaults", defaults.object(comment: "comment"))
    }
}

/// Writes Google's file.
enum AssetLinksWriter {
    static func json(_ file: AssetLinks) -> [UInt8] {
        var text = AssociationText()
        text.open("[")
        for include in file.includes { text.line(nil, ["include": include] as JSONObject) }
        for statement in file.statements {
            text.open("{")
            text.line("relation", statement.relations)
            let target: JSONObject =
                switch statement.target {
                case .site(let site): ["namespace": "web", "site": site]
                case .app(let package, let fingerprints):
                    ["namespace": "android_app", "package_name": package, "sha256_cert_fingerprints": fingerprints]
                }
            text.line("target", target)
            if let components = statement.components {
                text.open("{", "relation_extensions")
                text.open("{", AssetLinks.handlesURLs)
                text.open("[", "dynamic_app_link_components")
                for component in components { text.line(nil, component.object(comment: "comments")) }
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
