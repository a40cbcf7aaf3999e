#if Gateway
import Shunt

/// The form of the lines of an access log: JSON, or text with variables as nginx's `log_format` has it.
///
/// http://nginx.org/en/docs/http/ngx_http_log_module.html#log_format
public struct AccessLogFormat: Sendable {
    /// The way the values of variables are written.
    enum Escape: String, CaseIterable {
        /// Quotes, backslashes and all that is not ASCII text as `\xHH`; `-` for what is missing.
        case `default`
        /// As in a string of JSON.
        case json
        /// Unchanged, but for control characters, which would end the line.
        case none
    }

    typealias Variable = ExchangeAccount.Variable

    enum Part {
        case text([UInt8])
        case variable(Variable)
        case header(String)
        case sentHeader(String)
        case upstreamHeader(String)
        /// A value that was computed when the request was decided; what stands for it where nothing was.
        case value(Int, Variable?, isMissingWhenEmpty: Bool)
        /// The value of a map of the rules for a text.
        case map(Int, [Part])
    }

    /// The reason why a format is invalid.
    public struct FormatError: Error, CustomStringConvertible {
        /// The problem, with a suggestion.
        public let description: String
    }

    /// One JSON object a line, with all that is known.
    public static let json = AccessLogFormat()

    private static let named = [
        "common": #"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent"#,
        "combined": LogLineFormat.combined,
    ]

    /// Nil is JSON.
    private let parts: [Part]?
    private let escape: Escape

    private init() { (parts, escape) = (nil, .json) }

    /// Reads `json`, `common`, `combined`, or the text of a `log_format`, perhaps with `escape=json` or `escape=none` in front.
    ///
    /// - Throws: What is wrong with it.
    public init(_ text: String) throws(FormatError) {
        if text == "json" {
            self = .json
            return
        }
        var rest = (Self.named[text] ?? text)[...]
        var escape = Escape.default
        if rest.hasPrefix("escape=") {
            let word = rest.dropFirst(7).prefix { $0 != " " }
            guard let known = Escape(rawValue: String(word)) else {
                throw FormatError(description: "escape= is followed by default, json or none, not by \"\(word)\"")
            }
            escape = known
            rest = rest.dropFirst(7 + word.count).drop { $0 == " " }
        }
        self.escape = escape
        var parts: [Part] = []
        while let mark = rest.firstIndex(of: "$") {
            if mark > rest.startIndex { parts.append(.text(Array(rest[..<mark].utf8))) }
            rest = rest[rest.index(after: mark)...]
            let isBraced = rest.hasPrefix("{")
            if isBraced { rest = rest.dropFirst() }
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            rest = rest.dropFirst(name.count)
            if isBraced {
                guard rest.hasPrefix("}") else {
                    throw FormatError(description: "the format has a \"${\" without its \"}\"")
                }
                rest = rest.dropFirst()
            }
            parts.append(try Self.part(String(name)))
        }
        if !rest.isEmpty { parts.append(.text(Array(rest.utf8))) }
        guard parts.contains(where: { if case .text = $0 { false } else { true } }) else {
            throw FormatError(
                description: "\"\(text)\" is neither json, common or combined, nor a format with variables"
            )
        }
        self.parts = parts
    }

    /// Takes the text of a `log_format` of rules, or of the condition of a log.
    init(_ text: LogText, escape: String) {
        self.escape = Escape(rawValue: escape) ?? .default
        parts = Self.parts(text.parts)
    }

    private static func parts(_ parts: [LogText.Part]) -> [Part] {
        parts.compactMap { part in
            switch part {
            case .text(let bytes): return .text(bytes)
            case .answer(let name): return try? Self.part(name)
            case .map(let number, let source): return .map(number, Self.parts(source))
            case .value(let number, let name):
                // nginx distinguishes missing values and empty ones.
                let families = ["arg_", "cookie_", "proxy_protocol_", "content_"]
                let isMissing =
                    ["args", "query_string", "proxy_host", "proxy_port"].contains(name)
                    || families.contains { name.hasPrefix($0) }
                return .value(number, Variable(rawValue: name), isMissingWhenEmpty: isMissing)
            }
        }
    }

    private static func part(_ name: String) throws(FormatError) -> Part {
        for (family, part) in Self.families where name.hasPrefix(family) && name.count > family.count {
            return part(String(name.dropFirst(family.count)).replacing("_", with: "-"))
        }
        if let variable = Variable(rawValue: name) { return .variable(variable) }
        let names = Variable.allCases.map(\.rawValue)
        let closest = Suggestion.closest(to: name, among: names).map { "; did you mean \"$\($0)\"?" } ?? ""
        throw FormatError(description: "the access log has no variable \"$\(name)\"\(closest)")
    }

    private static let families: [(String, @Sendable (String) -> Part)] = [
        ("http_", { .header($0) }), ("sent_http_", { .sentHeader($0) }), ("upstream_http_", { .upstreamHeader($0) }),
    ]

    /// True if a line has the entries of tables that decided, if the engine names them.
    var hasEntries: Bool { has { if case .variable(.entries) = $0 { true } else { false } } }

    /// True if there are headers of the answer in it.
    var needsHeaders: Bool { has { if case .sentHeader = $0 { true } else { false } } }

    private func has(_ isMeant: (Part) -> Bool) -> Bool {
        var rest = parts ?? []
        while let part = rest.popLast() {
            if isMeant(part) { return true }
            if case .map(_, let source) = part { rest += source }
        }
        return false
    }

    /// The line for an exchange.
    ///
    /// - Parameters:
    ///   - exchange: What was asked and answered.
    ///   - values: What was computed for the format when the request was decided.
    ///   - maps: The maps of the format.
    /// - Returns: The line with its end.
    func line(_ exchange: ExchangeAccount, values: [[UInt8]] = [], maps: [LogMap] = []) -> [UInt8] {
        guard let parts else { return exchange.line }
        var line: [UInt8] = []
        for part in parts {
            if case .text(let text) = part {
                append(text, to: &line, isOwn: true)
            } else {
                append(Self.value(part, exchange: exchange, values: values, maps: maps), to: &line)
            }
        }
        line.append(0x0a)
        return line
    }

    /// Returns the text of a line, every byte unchanged; nil if a part of it is not known.
    func text(_ exchange: ExchangeAccount, values: [[UInt8]], maps: [LogMap]) -> [UInt8]? {
        Self.text(parts ?? [], exchange: exchange, values: values, maps: maps)
    }

    private static func text(
        _ parts: [Part],
        exchange: ExchangeAccount,
        values: [[UInt8]],
        maps: [LogMap]
    ) -> [UInt8]? {
        var text: [UInt8] = []
        for part in parts {
            let value = value(part, exchange: exchange, values: values, maps: maps)
            switch part {
            case .map where value == nil: return nil
            case .value(let number, nil, _) where !values.indices.contains(number): return nil
            default: text += value ?? []
            }
        }
        return text
    }

    private static func value(_ part: Part, exchange: ExchangeAccount, values: [[UInt8]], maps: [LogMap]) -> [UInt8]? {
        switch part {
        case .text(let text): text
        case .map(let number, let source):
            text(source, exchange: exchange, values: values, maps: maps).flatMap { maps[number].value(for: $0) }
        case .variable(let variable): exchange.value(variable)
        case .header(let name): exchange.header(name)
        case .sentHeader(let name): exchange.sentHeader(name)
        case .upstreamHeader(let name): exchange.upstreamHeader(name)
        case .value(_, .request, _) where exchange.invalidLine != nil: exchange.invalidLine
        case .value(let number, let variable, let isMissingWhenEmpty):
            if values.indices.contains(number) {
                isMissingWhenEmpty && values[number].isEmpty ? nil : values[number]
            } else {
                variable.flatMap { exchange.value($0) }
            }
        }
    }

    /// Adds a value; the text of the format itself is only kept from ending the line.
    private func append(_ value: [UInt8]?, to line: inout [UInt8], isOwn: Bool = false) {
        guard let value else {
            if escape == .default { line.append(UInt8(ascii: "-")) }
            return
        }
        // Bytes that are not text may be controls, or become one together with the next value.
        let isExact = !isOwn && escape != .default
        let isText = !isExact || value.span.isUTF8
        var rest = value.span
        while let byte = rest.isEmpty ? nil : rest[0] {
            let steering = isExact && isText ? SteeringText.scalar(in: rest, at: 0) : nil
            rest = rest.extracting(droppingFirst: steering?.length ?? 1)
            if let steering {
                line += Self.escaped(steering.scalar, escape)
                continue
            }
            switch (isOwn ? .none : escape, byte) {
            case (.default, 0x22), (.default, 0x5c), (.default, 0x7f...), (.default, ..<0x20), (.none, 0x7f),
                (.none, ..<0x20),
                (.none, 0x80...) where !isText:
                line += [
                    UInt8(ascii: "\\"), UInt8(ascii: "x"), (byte >> 4).upperHexadecimalDigit,
                    (byte & 15).upperHexadecimalDigit,
                ]
            case (.json, 0x22), (.json, 0x5c): line += [UInt8(ascii: "\\"), byte]
            case (.json, 0x08): line += Array(#"\b"#.utf8)
            case (.json, 0x09): line += Array(#"\t"#.utf8)
            case (.json, 0x0a): line += Array(#"\n"#.utf8)
            case (.json, 0x0c): line += Array(#"\f"#.utf8)
            case (.json, 0x0d): line += Array(#"\r"#.utf8)
            case (.json, ..<0x20), (.json, 0x7f),
                (.json, 0x80...) where !isText:
                line += Array(#"\u00"#.utf8) + [(byte >> 4).upperHexadecimalDigit, (byte & 15).upperHexadecimalDigit]
            default: line.append(byte)
            }
        }
    }

    /// A character that a terminal obeys.
    private static func escaped(_ scalar: UInt16, _ escape: Escape) -> [UInt8] {
        let digits = (0..<4).map { UInt8(scalar >> (12 - 4 * $0) & 15).upperHexadecimalDigit }
        if escape == .json { return Array("\\u".utf8) + digits }
        let text = Unicode.Scalar(scalar).map { String(Character($0)) } ?? ""
        return text.utf8.flatMap {
            Array("\\x".utf8) + [($0 >> 4).upperHexadecimalDigit, ($0 & 15).upperHexadecimalDigit]
        }
    }
}
#endif
