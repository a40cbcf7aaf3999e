package import ShuntCore

/// One `access_log`: which requests are written where, and how.
///
/// The engine writes nothing; its caller reads this from a decision.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_log_module.html#access_log
package struct AccessLogRule: Sendable {
    /// The condition in `if=`.
    enum Condition: Sendable {
        case always
        /// The first of the rule's values, which is neither empty nor `0`.
        case value(TemplateIndex)
        /// A text that is not known before the request is answered.
        case text(LogText)
    }

    /// The file as it is written.
    package var path: String
    var format: TableIndex<LogLineFormat>
    var condition = Condition.always
    package var position: SourcePosition
}

/// A `log_format`.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_log_module.html#log_format
package struct LogLineFormat: Sendable {
    /// The text of the format that there is without a definition.
    package static let combined =
        #"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#

    package var name: String
    /// The word of `escape=`.
    package var escape = "default"
    package var text = LogText()
}

/// A text about a request and its answer.
package struct LogText: Sendable {
    package enum Part: Sendable {
        case text([UInt8])
        /// A value that only the server knows, by its name: one of `AnswerVariables`, or a header.
        case answer(String)
        /// One of the values that are computed when the request is decided, and the name of its variable.
        case value(Int, String)
        /// The value of one of the maps, whose source is not known before the request is answered.
        case map(Int, [Part])
    }

    package var parts: [Part] = []
    var variables: [VariableIndex] = []
    var maps: [TableIndex<ValueMap>] = []
    /// The number of values that are computed when the request is decided.
    package var valueCount: Int { variables.count }

    package init() {}
}

/// Variables of nginx that have their values when a request is answered.
package enum AnswerVariables {
    package static let names: Set<String> = [
        "body_bytes_sent", "bytes_sent", "connection", "connection_requests", "gzip_ratio", "msec", "pipe",
        "remote_user", "request_completion", "request_length", "request_time", "status", "time_iso8601", "time_local",
        "upstream_addr",
        "upstream_cache_status", "upstream_connect_time", "upstream_header_time", "upstream_response_length",
        "upstream_response_time", "upstream_status",
        "shunt_decision", "shunt_rule", "shunt_entries", "shunt_route", "shunt_url", "shunt_version",
    ]

    /// Families that are headers, of the request, of the answer, and of the upstream's.
    package static let families = ["http_", "sent_http_", "upstream_http_"]

    package static func contains(_ name: String) -> Bool {
        names.contains(name) || families.contains { name.hasPrefix($0) && name.utf8.count > $0.utf8.count }
    }
}
