import ShuntCore

/// `ssl_certificate` and the other directives about TLS that a gateway ends.
///
/// The files are not opened here: rules are also checked and tested where no key is.
struct TLSCompiler {
    /// The settings as inherited, and as far as they are known; nil where none of the directives is.
    private var own: TLSSettings?
    private var certificates: [[UInt8]] = []
    private var keys: [[UInt8]] = []

    mutating func add(_ directive: CheckedDirective, to inherited: Settings, in context: inout CompileContext) {
        guard let word = directive.arguments.first else { return }
        var settings =
            own ?? (inherited.tls.isNone ? TLSSettings() : context.tables.tls[inherited.tls])
        settings.position = directive.name.position
        switch directive.keyword {
        case .sslCertificate: certificates.append(word.bytes)
        case .sslCertificateKey: keys.append(word.bytes)
        case .sslPasswordFile: settings.passwordFile = word.bytes
        case .sslProtocols: settings.versions = Self.versions(directive, in: &context)
        case .sslRejectHandshake: settings.rejectsHandshakes = directive.isOn
        case .sslVerifyClient:
            let values = ["on", "off", "optional", "optional_no_ca"]
            if !values.contains(word.text.lowercased()) {
                context.invalid("value", word, advice: "write \(values.joined(separator: ", "))")
            }
        default: break
        }
        own = settings
    }

    /// The versions that `ssl_protocols` or `proxy_ssl_protocols` names.
    static func versions(_ directive: CheckedDirective, in context: inout CompileContext) -> Set<TLSSettings.Version> {
        var versions: Set<TLSSettings.Version> = []
        for word in directive.arguments {
            let known = TLSSettings.Version.allCases.first { $0.rawValue.lowercased() == word.text.lowercased() }
            guard let known else {
                let names = TLSSettings.Version.allCases.map(\.rawValue)
                let advice = Suggestion.meant(by: word.text, among: names) ?? "write \(names.joined(separator: ", "))"
                context.error(.invalidValue, "invalid value \(word.shownText)", at: word, suggestion: advice)
                continue
            }
            versions.insert(known)
        }
        return versions
    }

    /// Puts the directives into the settings of the level: its own files take the place of those inherited.
    func finish(_ settings: inout Settings, in context: inout CompileContext) {
        guard var own else { return }
        if !certificates.isEmpty { own.certificates = certificates }
        if !keys.isEmpty { own.keys = keys }
        settings.tls = context.tables.tls.append(own)
    }
}
