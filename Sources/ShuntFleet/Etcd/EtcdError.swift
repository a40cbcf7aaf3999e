#if Fleet

/// The reason why etcd did not do what it was asked.
public struct EtcdError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, for callers that have to continue.
    public enum Reason: Sendable, Hashable {
        /// No connection was opened, so nothing was asked.
        case unreachable
        /// No answer came in time.
        case late
        /// The connection ended before the answer did.
        case lost
        /// The member has no majority.
        case noLeader
        /// The member is about to end, or cannot answer now.
        case unavailable
        /// The token is unknown or has expired.
        case unauthenticated
        /// The user may not do it.
        case denied
        /// The request, the user or a certificate is not as etcd wants it.
        case refused
        /// The revision is not kept any more.
        case compacted
        /// There is no such lease.
        case missing
        /// The request or the answer is too large.
        case tooLarge
        /// The database is full.
        case full
        /// The answer is not one of etcd.
        case malformed
    }

    /// The kind.
    public let reason: Reason
    /// The failure in words, with the endpoint.
    public let description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    /// True if it may be otherwise at another member.
    var concernsEndpoint: Bool {
        switch reason {
        case .unreachable, .late, .lost, .noLeader, .unavailable, .malformed: true
        case .unauthenticated, .denied, .refused, .compacted, .missing, .tooLarge, .full: false
        }
    }

    /// True if what was asked may have been done all the same.
    public var mayBeDone: Bool { [.late, .lost, .unavailable, .malformed].contains(reason) }

    /// True if someone has to do something before it can succeed.
    public var needsAttention: Bool { [.unauthenticated, .denied, .refused].contains(reason) }

    // MARK: Answers

    package init(status: Int, body: [UInt8], at endpoint: String) {
        guard let fields = try? EtcdFields(body, at: endpoint) else {
            self.init(status: status, text: String(decoding: body.prefix(300), as: UTF8.self), at: endpoint)
            return
        }
        self.init(fields, status: status, at: endpoint)
    }

    /// Creates the failure for an `error` in place of an answer, or as a line of a stream.
    ///
    /// In answers it is a text next to `code`, in streams an object; newer versions have `message` and `code` only.
    init(_ fields: EtcdFields, status: Int?, at endpoint: String) {
        let inner = (try? fields.object("error")) ?? nil
        let source = inner ?? fields
        let texts = [try? source.text("message"), try? fields.text("error")]
        let text = texts.compactMap { $0 }.first { !$0.isEmpty } ?? ""
        let codes = [try? source.optionalInteger("code"), try? source.optionalInteger("grpc_code")]
        if let code = codes.compactMap({ $0 ?? nil }).first {
            self.init(Self.reason(code: Int(code), text), "\(endpoint): \(text)")
        } else {
            let inner = (try? source.optionalInteger("http_code")) ?? nil
            self.init(status: status ?? inner.map { Int($0) } ?? 0, text: text, at: endpoint)
        }
    }

    private init(status: Int, text: String, at endpoint: String) {
        let shown = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let answer = "\(endpoint): status \(status)\(shown.isEmpty ? "" : ": " + shown)"
        switch status {
        case 400 where text.contains("CommonName"):
            self.init(
                .refused,
                answer
                    + "; with authentication on, etcd takes client certificates only whose subject has no common name: make one"
                    + " without"
            )
        case 401: self.init(.unauthenticated, answer)
        case 403: self.init(.denied, answer)
        case 404: self.init(.refused, answer + "; this is not an etcd from 3.4 on")
        case 421: self.init(.refused, answer + "; etcd's --host-whitelist does not have this host")
        case 429: self.init(.tooLarge, answer)
        case 400..<500: self.init(.refused, answer)
        default: self.init(.unavailable, answer)
        }
    }

    init(cancelled reason: String, at endpoint: String) {
        let kind: Reason =
            if reason.contains("PermissionDenied") || reason.contains("permission denied") {
                .denied
            } else if reason.contains("Unauthenticated") || reason.contains("invalid auth token") {
                .unauthenticated
            } else if reason.contains("no leader") {
                .noLeader
            } else {
                .lost
            }
        self.init(kind, "\(endpoint): the watch was cancelled: \(reason.isEmpty ? "no reason was given" : reason)")
    }

    /// By gRPC's codes.
    private static func reason(code: Int, _ text: String) -> Reason {
        switch code {
        case 4: .late
        case 5: .missing
        case 7: .denied
        case 8: text.contains("space exceeded") ? .full : .tooLarge
        case 11: text.contains("compacted") ? .compacted : .refused
        case 14: text.contains("no leader") ? .noLeader : .unavailable
        case 16: .unauthenticated
        case 1, 2, 13: .unavailable
        default: text.contains("request is too large") ? .tooLarge : .refused
        }
    }
}
#endif
