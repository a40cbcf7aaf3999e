import ShuntCore

/// A directive that decides about an answer, or about a request to an upstream, and that the gateway does not do.
package struct UnservedDirective: Sendable {
    /// The consequence of serving without it.
    package var consequence: String
    /// True if requests go to the gateway's default upstream in its place.
    var goesToUpstream = false
    /// The first words with which nothing is missing.
    var harmless: [String] = []
    /// True if the gateway does it, and nothing else that decides with the rules.
    var isForGateway = false

    /// Returns true if something is missing where a directive is.
    func isMissing(_ directive: Directive) -> Bool {
        if directive.block?.isEmpty == true { return false }
        guard let word = directive.arguments.first?.bytes else { return true }
        return !harmless.contains { $0.utf8.elementsEqual(word.lazy.map(\.asciiLowercased)) }
    }
}

/// The directives with which `shunt serve` does not start, unless they are accepted.
///
/// Their parameters, such as `userid_name`, have no effect alone and are not among them. Those that only the gateway does are, for
/// the warning that others get.
package enum UnservedDirectives {
    package static let table: [String: UnservedDirective] = {
        let off = ["off"]
        let groups: [(names: String, consequence: String, harmless: [String])] = [
            ("ssl_verify_client", "clients pass without a certificate", off),
            ("ssl", "connections are not encrypted; write \"ssl\" into the listen", off),
            ("tunnel_pass", "no tunnel is opened", []),
            ("stream mail", "nothing listens at its ports", []),
            ("charset_map", "bodies stay in their character set", []),
            ("override_charset", "answers keep the character set that an upstream names", off),
            ("gzip_static", "clients that accept no compression get the plain file; use \"on\"", ["off", "on"]),
            ("gunzip", "clients get compressed answers that they may be unable to read", off),
            ("add_trailer", "answers have no trailers", []),
            ("add_header_inherit add_trailer_inherit", "headers are inherited in the usual way", ["on"]),
            ("more_set_headers more_clear_headers", "headers stay unchanged; use add_header", []),
            ("userid", "clients get no cookie", off),
            ("limit_rate proxy_limit_rate", "answers are sent as fast as clients take them", ["0"]),
            ("image_filter", "images stay unchanged", off),
            ("slice", "whole answers are requested in the place of parts", ["0"]),
            ("ssi xslt_stylesheet sub_filter", "bodies stay unchanged", off),
            ("add_before_body add_after_body", "bodies stay unchanged", [""]),
            ("post_action", "nothing is requested after an answer", off),
            ("mirror", "no request is sent twice", off),
            ("client_body_in_file_only", "no body is kept in a file", off),
            ("proxy_cache", "every request goes to the upstream, and nothing is answered from a cache", off),
            ("proxy_store", "no answer is kept in a file", off),
            ("proxy_bind tunnel_bind", "the system chooses the source address of requests to an upstream", off),
            ("proxy_ssl_crl", "an upstream with a revoked certificate is accepted", []),
            ("proxy_pass_trailers", "trailers of the upstream are not sent", off),
            ("proxy_force_ranges", "the client gets whole answers in the place of parts", off),
            ("least_time sticky queue ntlm", "the servers of the group take turns, by their weights", []),
        ]
        // The operator names the default upstream, so that its answers are known to be the ones for these requests.
        let toUpstream = "the request goes to --upstream by HTTP, or is answered with 404"
        let sentOn: [(names: String, missing: String, harmless: [String])] = [
            ("fastcgi_pass uwsgi_pass scgi_pass grpc_pass memcached_pass", "", []),
            ("empty_gif stub_status flv mp4", "", []),
            ("autoindex random_index", "a directory is not listed: ", off),
            ("dav_methods", "PUT, DELETE and the like change no file: ", off),
        ]
        var table: [String: UnservedDirective] = [:]
        for (names, consequence, harmless) in groups {
            for name in names.split(separator: " ") {
                table[String(name)] = UnservedDirective(consequence: consequence, harmless: harmless)
            }
        }
        for (names, missing, harmless) in sentOn {
            for name in names.split(separator: " ") {
                table[String(name)] = UnservedDirective(
                    consequence: missing + toUpstream,
                    goesToUpstream: true,
                    harmless: harmless
                )
            }
        }
        for (name, consequence) in [
            ("auth_basic", "requests pass without a password"),
            ("auth_request", "requests pass without the consent of the other service"),
            ("limit_req", "any number of requests passes"),
            ("limit_conn", "any number of connections passes"),
            ("expires", "most answers have no Expires and no Cache-Control"),
        ] {
            table[name] = UnservedDirective(consequence: consequence, harmless: off, isForGateway: true)
        }
        return table
    }()

    /// The directive `limit_rate`, with its name, where a `set` of its variable does the same; nil for any other directive.
    static func assigned(by directive: Directive) -> (name: Word, UnservedDirective)? {
        guard directive.name.bytes.elementsEqual("set".utf8), directive.arguments.count == 2,
            directive.arguments[0].bytes.elementsEqual("$limit_rate".utf8),
            !directive.arguments[1].bytes.elementsEqual("0".utf8), let unserved = table["limit_rate"]
        else { return nil }
        return (directive.arguments[0].dropping(first: 1), unserved)
    }

    /// The beginnings, parts and ends of names that other modules have.
    ///
    /// Their directives are errors when rules are loaded, because only their authors know what they change.
    private static let modules: [(name: String, parts: [String])] = [
        ("Lua", ["lua_", "_by_lua"]), ("njs", ["js_"]), ("Nchan", ["nchan_", "push_"]), ("echo", ["echo"]),
        ("Fancy Index", ["fancyindex"]), ("WebDAV extensions", ["dav_ext_"]), ("Substitutions", ["subs_"]),
        ("Upload Progress", ["upload_progress", "track_uploads", "report_uploads"]), ("PAM", ["auth_pam"]),
        ("Headers More", ["more_"]), ("Cache Purge", ["_cache_purge"]), ("GeoIP2", ["geoip2"]),
        ("Upstream Fair", ["fair", "upstream_fair"]), ("Development Kit", ["upstream_list"]),
        ("JWT", ["auth_jwt"]), ("OpenID Connect", ["auth_oidc"]),
    ]

    /// Returns true if a directive is known to refuse requests, of whatever module it is.
    static func protects(_ name: String) -> Bool {
        ["auth_", "modsecurity", "testcookie", "app_protect"].contains { name.hasPrefix($0) }
            || ["SecRulesEnabled", "MainRule", "BasicRule", "CheckRule"].contains(name)
    }

    /// Returns the module of others that a directive is of; nil if it is not known.
    package static func module(of name: String) -> String? {
        modules.first { module in
            module.parts.contains { $0.hasPrefix("_") ? name.contains($0) : name.hasPrefix($0) }
        }?
        .name
    }

    package static var moduleNames: [String] { modules.map(\.name) }
}

/// The fate of a directive in the gateway.
package enum DirectiveFate: Sendable, Equatable {
    case done
    /// It changes neither what a client nor what an upstream gets; the text adds what there is to add.
    case withoutEffect(String?)
    /// It decides, and is not done; with what follows.
    case unserved(String)
    /// It decides, and rules with it cannot be loaded; with what to do instead.
    case refused(String)
}

extension DirectiveRow {
    package var fate: DirectiveFate {
        if let unserved, !unserved.isForGateway { return .unserved(unserved.consequence) }
        return switch role {
        case .decides, .sets: .done
        case .accepted: contexts == .topLevel ? .withoutEffect(nil) : .done
        case .ignored: .withoutEffect(IgnoredDirectives.notes[name])
        case .unsupported(let advice): .refused(advice)
        }
    }
}
