/// TLS to the servers of a `proxy_pass`: the `proxy_ssl_` directives of its location.
///
/// The files are not opened here: rules are also checked and tested where none of them is.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_ssl_verify
package struct UpstreamTLSSettings: Sendable, Hashable {
    /// True if the certificate of the server is checked.
    package var verifies = false
    /// The file of the authorities that may have signed it; nil for those that the system trusts.
    package var authorities: [UInt8]?
    /// True if the server gets the name that it is asked for (SNI).
    package var sendsName = false
    /// The versions that may be spoken; nil for those that the library speaks.
    package var versions: Set<TLSSettings.Version>?
    /// The file of the certificate that the server is shown, and of its key.
    package var certificate: [UInt8]?
    package var key: [UInt8]?
    /// The file with the passwords of the key.
    package var passwordFile: [UInt8]?

    package init() {}

    /// TLS whose certificate is checked by what the system trusts.
    package static var verified: UpstreamTLSSettings {
        var settings = UpstreamTLSSettings()
        settings.verifies = true
        settings.sendsName = true
        return settings
    }
}
