import ShuntCore

/// The treatment of a route whose URLs patterns of the file cannot match exactly.
@nonexhaustive public enum WiderPatterns: Sendable, Hashable {
    /// An error, which names the nearest pattern that is wider.
    case refused
    /// It is written, and the app gets URLs that it has no route for.
    case written
}

extension AppSiteAssociation {
    /// Makes the file for the routes of an app.
    ///
    /// - Parameters:
    ///   - routes: The routes, such as `Links.appLinkRoutes`; those of other schemes and hosts are left out.
    ///   - apps: The identifiers of the app.
    ///   - host: The website that the file is for.
    ///   - wider: The treatment of routes that the file cannot express exactly; when they are written, `warnings` names
    ///     them.
    /// - Throws: Routes that cannot be expressed, with their places; wrong identifiers; no routes; a file that is too
    ///   large; a URL that the file would not open, or that has no route and would open.
    public init(
        routes: [AppLinkRoute],
        apps: [String],
        host: String,
        wider: WiderPatterns = .refused
    ) throws(AppLinksError) {
        let (found, warnings) = try AppLinkComponents.checked(routes, host: host, wider: wider, for: .apple)
        var file = AppSiteAssociation()
        file.substitutionVariables = found.variables.values
        file.details = [Details(appIDs: apps, components: found.components)]
        self = try AppSiteAssociation(reading: file.json())
        for countsSlashes in [false, true] {
            try AppLinkProof(found.forms, host, allowsMore: !warnings.isEmpty, triesSlashes: !countsSlashes)
                .check(AppLinkMatcher(self, countsSlashes: countsSlashes))
        }
        self.warnings = warnings
    }
}

extension AppLinkComponents {
    /// The components for routes, unless some cannot be expressed and must be.
    static func checked(
        _ routes: [AppLinkRoute],
        host: String,
        wider: WiderPatterns,
        for platform: AppLinkPlatform
    ) throws(AppLinksError) -> (found: AppLinkComponents, warnings: [Diagnostic]) {
        let found = AppLinkComponents(routes, host: host.lowercased(), for: platform)
        guard !found.components.isEmpty || !found.wider.isEmpty else {
            let message = "no route leads to https://\(host)"
            let advice = "set an address of an action, such as https://\(host)/item/:id, for .links"
            throw AppLinksError([Diagnostic(.error(.noRoutes), message, at: .whole(host), suggestion: advice)])
        }
        guard wider == .written || found.wider.isEmpty else { throw AppLinksError(found.wider) }
        let warnings = found.wider.map { diagnostic in
            var warning = diagnostic
            warning.severity = .warning
            return warning
        }
        return (found, warnings)
    }
}

extension AssetLinks {
    /// Makes the file for the routes of an app.
    ///
    /// - Parameters:
    ///   - routes: The routes, such as `Links.appLinkRoutes`; those of other schemes and hosts are left out.
    ///   - package: The package of the app.
    ///   - fingerprints: The SHA-256 fingerprints of its certificates.
    ///   - host: The website that the file is for.
    ///   - wider: The treatment of routes that the file cannot express exactly; when they are written, `warnings` names
    ///     them.
    /// - Throws: Routes that cannot be expressed, with their places; wrong names and fingerprints; no routes; a URL
    ///   that the file would not open, or that has no route and would open.
    public init(
        routes: [AppLinkRoute],
        package: String,
        fingerprints: [String],
        host: String,
        wider: WiderPatterns = .refused
    ) throws(AppLinksError) {
        let (found, warnings) = try AppLinkComponents.checked(routes, host: host, wider: wider, for: .android)
        var file = AssetLinks()
        let target = Target.app(package: package, fingerprints: fingerprints)
        file.statements = [Statement(target: target, components: found.components)]
        self = try AssetLinks(reading: file.json())
        try AppLinkProof(found.forms, host, allowsMore: !warnings.isEmpty, triesSlashes: true)
            .check(AppLinkMatcher(self))
        self.warnings = warnings
    }
}
