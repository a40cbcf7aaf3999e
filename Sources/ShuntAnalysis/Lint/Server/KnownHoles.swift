import ShuntCore
import ShuntRules

/// A hole of nginx that was found and closed.
struct KnownHole: Sendable {
    var name: String
    /// What somebody can do with it.
    var what: String
    /// The first version that has it.
    var since: String
    /// The versions that closed it, one a branch; a version from the last branch on has it closed as well.
    var fixed: [String]
    /// The directive whose use opens it; nil where any configuration does.
    var directive: String?
    /// What one of its arguments but the first has then.
    var word: String?

    /// What nginx.org and the databases of vulnerabilities tell; the newest first.
    static let all = [
        KnownHole(
            "CVE-2026-9256",
            "overlapping groups of a rewrite write behind a buffer",
            "0.1.17",
            ["1.30.2", "1.31.1"],
            "rewrite"
        ),
        KnownHole("CVE-2026-93479", "texts with variables write behind a buffer", "1.30.0", ["1.30.6"]),
        KnownHole(
            "CVE-2026-42945",
            "a rewrite with ? and groups, before another rule",
            "0.6.27",
            ["1.30.1", "1.31.0"],
            "rewrite",
            "?"
        ),
        KnownHole(
            "CVE-2026-40701",
            "answers of OCSP are used after they are freed",
            "1.19.0",
            ["1.30.1", "1.31.0"],
            "resolver"
        ),
        KnownHole(
            "CVE-2025-23419",
            "sessions of TLS get past certificates of clients",
            "1.11.4",
            ["1.26.3", "1.27.4"],
            "ssl_verify_client"
        ),
        KnownHole("CVE-2024-7347", "an mp4 file reads behind a buffer", "1.5.13", ["1.26.2", "1.27.1"], "mp4"),
        KnownHole("CVE-2024-32760", "HTTP/3 writes behind a buffer", "1.25.0", ["1.26.1", "1.27.0"], "listen", "quic"),
        KnownHole("CVE-2024-24990", "HTTP/3 uses memory after it is freed", "1.25.0", ["1.25.4"], "listen", "quic"),
        KnownHole("CVE-2022-41741", "an mp4 file writes behind a buffer", "1.1.3", ["1.22.1", "1.23.2"], "mp4"),
        KnownHole(
            "CVE-2021-23017",
            "an answer of DNS writes behind a buffer",
            "0.6.18",
            ["1.20.1", "1.21.0"],
            "resolver"
        ),
        KnownHole(
            "CVE-2019-20372",
            "requests can be smuggled past an error page",
            "0.1.0",
            ["1.17.7"],
            "error_page",
            "http"
        ),
        KnownHole(
            "CVE-2019-9513",
            "HTTP/2 takes all of a processor",
            "1.9.5",
            ["1.16.1", "1.17.3"],
            "listen",
            "http2"
        ),
        KnownHole(
            "CVE-2018-16843",
            "HTTP/2 takes all of the memory",
            "1.9.5",
            ["1.14.1", "1.15.6"],
            "listen",
            "http2"
        ),
        KnownHole(
            "CVE-2017-7529",
            "a Range reads what is beside a cached answer",
            "0.5.6",
            ["1.12.1", "1.13.3"],
            "proxy_cache"
        ),
    ]

    private init(
        _ name: String,
        _ what: String,
        _ since: String,
        _ fixed: [String],
        _ directive: String? = nil,
        _ word: String? = nil
    ) {
        self.name = name
        self.what = what
        self.since = since
        self.fixed = fixed
        self.directive = directive
        self.word = word
    }

    /// Whether a version has it.
    func isOpen(in version: String) -> Bool {
        guard !isBefore(version, since), let last = fixed.last else { return false }
        for fix in fixed where branch(fix) == branch(version) { return isBefore(version, fix) }
        return isBefore(version, last)
    }

    /// The first two numbers of a version.
    private func branch(_ version: String) -> [Substring] { Array(version.split(separator: ".").prefix(2)) }

    private func isBefore(_ one: String, _ other: String) -> Bool {
        VersionComparison.compare(Array(one.utf8).span, Array(other.utf8).span) == .less
    }
}

extension LintCheck {
    static let nginxCVEs = LintCheck(
        "nginx-cves",
        .server,
        .warning,
        .structure,
        "a version of nginx with holes that are known",
        explanation: """
            Made with `--nginx-version`. What needs a directive is told at the first of them; the others are told at the first directive of \
            the files. The list has what was known when this program was made.
            """,
        example: "server { resolver 127.0.0.1; }"
    ) { subject in
        guard let version = subject.options.nginxVersion else { return [] }
        return KnownHole.all.filter { $0.isOpen(in: version) }
            .compactMap { hole in
                let nodes = subject.tree.nodes
                let place: Int?
                if let name = hole.directive {
                    place = (subject.tree.named[name] ?? [])
                        .first { node in
                            hole.word.map { word in
                                nodes[node].arguments.dropFirst().contains { $0.text.contains(word) }
                            } ?? true
                        }
                } else {
                    place = subject.tree.named["http"]?.first ?? nodes.indices.first
                }
                return place.map { place in
                    LintFound(
                        nodes[place].position,
                        "nginx \(version) has \(hole.name): \(hole.what)",
                        advice: "use \(hole.fixed.joined(separator: " or ")), or a later one"
                    )
                }
            }
    }
}
