import ShuntCore

/// `geo [$address] $variable { … }`.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_geo_module.html
///
/// Networks and ranges are flattened into disjoint intervals, so that a look-up is one binary search.
package struct AddressMap: Sendable {
    /// The template of the address; none for the client's.
    var source: TemplateIndex
    var proxies: [AccessRule.Scope]
    var isProxyRecursive: Bool
    var entries: AddressEntries
    /// For each address the number of its entry.
    var v4: Intervals<UInt32>
    var v6: Intervals<WideAddress>
    var position: SourcePosition

    package static let forwardedForName = Array("x-forwarded-for".utf8)
}

/// The entries of a `geo`, lines of lists included.
final class AddressEntries: Sendable {
    /// The value of each, a constant.
    let values: [ByteRange]
    let positions: [SourcePosition]

    init(values: [ByteRange], positions: [SourcePosition]) {
        self.values = values
        self.positions = positions
    }
}
