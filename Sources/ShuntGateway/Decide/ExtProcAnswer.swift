#if Gateway
import NIOCore
import NIOHTTP1
import ShuntCore

/// A `ProcessingResponse`: what Envoy's filter `ext_proc` is to do.
///
/// Envoy fails a request whose answer has a member that it does not know.
enum ExtProcAnswer {
    /// The answer that changes nothing.
    static func unchanged(_ kind: ExtProcQuestion.Kind) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name(kind.rawValue)
            writer.object { _ in }
        }
        return writer.bytes
    }

    /// The request goes on, changed.
    ///
    /// - Parameters:
    ///   - set: Headers that it gets in place of what it has of these names.
    ///   - removed: The names of headers that it loses, before others are set.
    /// - Returns: The JSON.
    static func goesOn(_ set: [(name: String, value: String)], removed: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name(ExtProcQuestion.Kind.requestHeaders.rawValue)
            writer.object { writer in
                writer.name("response")
                writer.object { writer in
                    writer.name("headerMutation")
                    writer.object { writer in
                        write(set, to: &writer)
                        guard !removed.isEmpty else { return }
                        writer.name("removeHeaders")
                        writer.array { writer in for name in removed { writer.string(name) } }
                    }
                    // The route was chosen for the target and the host as they were.
                    writer.member("clearRouteCache", true)
                }
            }
        }
        return writer.bytes
    }

    /// The client gets an answer, and no upstream is asked.
    static func immediate(_ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: ByteBuffer) -> [UInt8] {
        let hasBody = status.mayHaveResponseBody
        let kept = headers.filter { name, _ in
            let isOfBody = name.isSameHeader(as: "content-type")
            return !RuleAdditions.isFraming(Array(name.utf8).span)
                && !name.lowercased().hasPrefix(ExtProcRequest.ownPrefix) && (hasBody || !isOfBody)
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("immediateResponse")
            writer.object { writer in
                writer.name("status")
                writer.object { $0.member("code", status.code) }
                if !kept.isEmpty {
                    writer.name("headers")
                    writer.object { write(kept.map { ($0.name, $0.value) }, to: &$0) }
                }
                if hasBody, body.readableBytes > 0 {
                    writer.member("body", Base64.encode(Array(body.readableBytesView)))
                }
                // For the log of Envoy, which has no other word of who answered.
                if let rule = headers.first(name: DecisionHeader.rule.rawValue) {
                    writer.member("details", "shunt \(rule)")
                }
            }
        }
        return writer.bytes
    }

    /// Writes headers, the first of a name in place of others.
    private static func write(_ headers: [(name: String, value: String)], to writer: inout JSONWriter) {
        var known: Set<String> = []
        writer.name("setHeaders")
        writer.array { writer in
            for (name, value) in headers {
                let isFirst = known.insert(name.lowercased()).inserted
                writer.object { writer in
                    writer.name("header")
                    writer.object { writer in
                        writer.member("key", name)
                        writer.member("rawValue", Base64.encode(value.utf8.map { $0.isControl ? 0x20 : $0 }))
                    }
                    // Envoy's filter looks at this member only, though `appendAction` has taken its place elsewhere.
                    if !isFirst { writer.member("append", true) }
                }
            }
        }
    }
}
#endif
