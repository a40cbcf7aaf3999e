package import ShuntCore

/// The components of a file by app, ready for many URLs.
package struct AppLinkMatcher: Sendable {
    private struct App: Sendable {
        var name: String
        /// The components in order, as they are written and as they are compared; nil if the app decides.
        var components: [(written: AppLinkComponent, isExcluded: Bool, takes: @Sendable (AppLinkSubject) -> Bool)]?
    }

    private var apps: [App] = []

    /// Reads the components of Apple's file.
    ///
    /// With `countsSlashes` each slash at the end of a path counts, as Apple's pages state and no device was recorded
    /// to do.
    package init(_ file: AppSiteAssociation, countsSlashes: Bool = false) {
        for name in file.apps {
            var app = App(name: name, components: [])
            for entry in file.details where entry.appIDs.contains(name) {
                for written in entry.components {
                    let whole = written.completed(by: entry.defaults).completed(by: file.defaults)
                    let slashes: AppleComponent.Slashes = countsSlashes ? .literal : .recorded
                    guard let read = AppleComponent(whole, variables: file.substitutionVariables, slashes: slashes)
                    else { continue }
                    app.components?.append((written, whole.isExcluded ?? false, { read.takes($0) }))
                }
            }
            apps.append(app)
        }
    }

    /// Reads the components of Google's file.
    package init(_ file: AssetLinks) {
        for statement in file.statements where statement.relations.contains(AssetLinks.handlesURLs) {
            guard case .app(let package, _) = statement.target else { continue }
            let written = statement.components ?? []
            let read = written.compactMap(AndroidComponent.init)
            var app = App(name: package)
            // One rule that is malformed makes Android discard all.
            if !written.isEmpty, read.count == written.count {
                app.components = zip(written, read)
                    .map { written, read in (written, written.isExcluded ?? false, { read.takes($0) }) }
            }
            apps.append(app)
        }
    }

    /// Returns the outcome of a URL for each app, in the order of the file, and the component that decided.
    package func answers(_ url: String) throws(URLSyntaxError) -> [AppLinkAnswer] {
        let subject = try AppLinkSubject(url)
        return apps.map { app in
            // Only web URLs are links to apps in this way.
            if subject.isWeb, app.components == nil {
                return AppLinkAnswer(app: app.name, outcome: .leftToApp, component: nil)
            }
            guard subject.isWeb, let first = app.components?.first(where: { $0.takes(subject) }) else {
                return AppLinkAnswer(app: app.name, outcome: .unmatched, component: nil)
            }
            let outcome: AppLinkAnswer.Outcome = first.isExcluded ? .excluded : .opens
            return AppLinkAnswer(app: app.name, outcome: outcome, component: first.written)
        }
    }
}
