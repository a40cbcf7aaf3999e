/// `proxy_cookie_domain`, `proxy_cookie_path` and `proxy_cookie_flags` of a location.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_cookie_domain
struct CookieRules: Sendable {
    /// The first of these that is for a cookie counts.
    struct Flags: Sendable {
        /// The name; counts without an expression.
        var name = TemplateIndex.none
        var expression = ExpressionIndex.none
        /// Words such as `secure`.
        var words: [TemplateIndex] = []
    }

    var domains = TableIndex<[RedirectRule]>.none
    var paths = TableIndex<[RedirectRule]>.none
    var flags: [Flags] = []
}
