#if Gateway
import Shunt
import ShuntCore

/// Headers that are for one connection and not for the next: the usual ones, and those that Connection lists.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
struct HopByHopHeaders {
    /// The names that Connection lists, in lower case: a set, for a client may list as many as it sends headers.
    private var listed: Set<String> = []

    init(_ fields: HeaderFields) {
        for field in fields.list where fields.isNamed(field, "connection") {
            let isPlain = fields.with(field.value) { value in
                value.isSameHeader(as: "keep-alive") || value.isSameHeader(as: "close")
            }
            if isPlain { continue }
            for option in fields.text(field.value).lowercased().utf8.split(separator: UInt8(ascii: ",")) {
                let option = option.drop { $0 == 0x20 || $0 == 0x09 }
                if let name = String(option.prefix { $0 != 0x20 && $0 != 0x09 }) { listed.insert(name) }
            }
        }
    }

    /// Returns true if a header is not passed on.
    func contains(_ name: Span<UInt8>) -> Bool {
        if Self.isUsual(name) { return true }
        return !listed.isEmpty && listed.contains(String(repairing: name).lowercased())
    }

    /// Returns true if a header states how a message goes through a connection, which the gateway alone does.
    static func isOfConnection(_ name: Span<UInt8>) -> Bool {
        switch name.count {
        case 7: name.isSameHeader(as: "upgrade")
        case 10: name.isSameHeader(as: "connection")
        case 17: name.isSameHeader(as: "transfer-encoding")
        default: false
        }
    }

    /// Returns true if a header is never passed on.
    static func isUsual(_ name: Span<UInt8>) -> Bool {
        switch name.count {
        case 2: name.isSameHeader(as: "te")
        case 7: name.isSameHeader(as: "trailer") || name.isSameHeader(as: "upgrade")
        case 10: name.isSameHeader(as: "connection") || name.isSameHeader(as: "keep-alive")
        case 16: name.isSameHeader(as: "proxy-connection")
        case 17: name.isSameHeader(as: "transfer-encoding")
        case 18: name.isSameHeader(as: "proxy-authenticate")
        case 19: name.isSameHeader(as: "proxy-authorization")
        default: false
        }
    }
}

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
