#if Gateway
import ShuntCore

/// A file of the page that the admin listener serves: a part of the program.
package struct PageFile: Sendable {
    /// The path of its URL.
    package let path: String
    package let contentType: String
    package let bytes: [UInt8]
    /// Changes with the content.
    package let entityTag: String

    private init(_ path: String, _ contentType: String, _ bytes: [UInt8]) {
        (self.path, self.contentType, self.bytes) = (path, contentType, bytes)
        var hash = ContentHash()
        hash.update(bytes)
        entityTag = "\"\(hash.hexadecimal.prefix(16))\""
    }

    /// The policy of the page: it may load its own files and ask its own listener, and nothing else.
    package static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    package static let all: [PageFile] = {
        let script = "text/javascript; charset=utf-8"
        return [
            PageFile("/", "text/html; charset=utf-8", PackageResources.index_html),
            PageFile("/ui/app.css", "text/css; charset=utf-8", PackageResources.app_css),
            PageFile("/ui/app.js", script, PackageResources.app_js),
            PageFile("/ui/dom.js", script, PackageResources.dom_js),
            PageFile("/ui/api.js", script, PackageResources.api_js),
            PageFile("/ui/charts.js", script, PackageResources.charts_js),
            PageFile("/ui/overview.js", script, PackageResources.overview_js),
            PageFile("/ui/rules.js", script, PackageResources.rules_js),
            PageFile("/ui/explain.js", script, PackageResources.explain_js),
            PageFile("/ui/reloads.js", script, PackageResources.reloads_js),
            PageFile("/ui/routes.js", script, PackageResources.routes_js),
            PageFile("/ui/live.js", script, PackageResources.live_js),
            PageFile("/ui/fleet.js", script, PackageResources.fleet_js),
        ]
    }()
}
#endif
