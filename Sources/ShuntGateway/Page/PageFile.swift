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

    private init(_ path: String, contentType: String, bytes: [UInt8]) {
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
            PageFile("/", contentType: "text/html; charset=utf-8", bytes: PackageResources.index_html),
            PageFile("/ui/app.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.app_css),
            PageFile("/ui/app.js", contentType: script, bytes: PackageResources.app_js),
            PageFile("/ui/dom.js", contentType: script, bytes: PackageResources.dom_js),
            PageFile("/ui/api.js", contentType: script, bytes: PackageResources.api_js),
            PageFile("/ui/charts.js", contentType: script, bytes: PackageResources.charts_js),
            PageFile("/ui/overview.js", contentType: script, bytes: PackageResources.overview_js),
            PageFile("/ui/rules.js", contentType: script, bytes: PackageResources.rules_js),
            PageFile("/ui/explain.js", contentType: script, bytes: PackageResources.explain_js),
            PageFile("/ui/reloads.js", contentType: script, bytes: PackageResources.reloads_js),
            PageFile("/ui/routes.js", contentType: script, bytes: PackageResources.routes_js),
            PageFile("/ui/live.js", contentType: script, bytes: PackageResources.live_js),
            PageFile("/ui/fleet.js", contentType: script, bytes: PackageResources.fleet_js),
        ]
    }()
}
#endif
