#if Gateway
import Shunt

/// Headers of an upstream's response that clients do not get.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_hide_header
enum HiddenHeaders {
    /// Returns true if a header is hidden: as in nginx, some are unless `proxy_pass_header` names them.
    static func contains(_ name: Span<UInt8>, _ settings: UpstreamSettings?) -> Bool {
        let isUsual = isUsual(name)
        guard let settings, !settings.hiddenHeaders.isEmpty || isUsual && !settings.passedHeaders.isEmpty else {
            return isUsual
        }
        let lowercased = String(repairing: name).lowercased()
        if settings.hiddenHeaders.contains(lowercased) { return true }
        return isUsual && !settings.passedHeaders.contains(lowercased)
    }

    private static func isUsual(_ name: Span<UInt8>) -> Bool {
        switch name.count {
        case 4: name.isSameHeader(as: "date")
        case 5: name.isSameHeader(as: "x-pad")
        case 6: name.isSameHeader(as: "server")
        case 15: name.isSameHeader(as: "x-accel-expires") || name.isSameHeader(as: "x-accel-charset")
        case 16: name.isSameHeader(as: "x-accel-redirect")
        case 17: name.isSameHeader(as: "x-accel-buffering")
        case 18: name.isSameHeader(as: "x-accel-limit-rate")
        default: false
        }
    }
}
#endif
