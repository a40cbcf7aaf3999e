import ShuntCore

/// The `access_log`s of one level.
struct AccessLogCompiler {
    private var rules: [AccessLogRule] = []
    private var isStated = false
    private var isOff = false

    /// `access_log off` or `access_log FILE [FORMAT [buffer=SIZE] [flush=TIME] [gzip[=LEVEL]] [if=CONDITION]]`.
    mutating func add(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard let file = directive.arguments.first else { return }
        isStated = true
        if file.text == "off" {
            isOff = true
            for word in directive.arguments.dropFirst() { Self.refuse(word, in: &context) }
            return
        }
        guard let format = Self.format(directive, in: &context) else { return }
        var rule = AccessLogRule(path: file.text, format: format, position: directive.name.position)
        var (buffer, flush): (Int?, Word?)
        for word in directive.arguments.dropFirst(2) {
            let value = word.bytes.drop { $0 != UInt8(ascii: "=") }.dropFirst()
            switch word.text.prefix(while: { $0 != "=" }) {
            case "if" where word.text.hasPrefix("if="):
                rule.condition = .value(context.template(Array(value), of: word, offset: 3))
            case "buffer":
                buffer = ConfigurationUnits.size(value)
                if (buffer ?? 0) <= 0 { Self.refuse(word, in: &context) }
            case "flush":
                flush = word
                if (ConfigurationUnits.milliseconds(value) ?? 0) <= 0 { Self.refuse(word, in: &context) }
            case "gzip":
                if !value.isEmpty, !(1...9).contains(value.decimalNumber ?? 0) { Self.refuse(word, in: &context) }
                buffer = buffer ?? 65_536
                let advice = "compress it when it is rotated"
                context.warning(.uncompressedLog, "the log is written uncompressed", at: word, suggestion: advice)
            default: Self.refuse(word, in: &context)
            }
        }
        if let flush, buffer == nil {
            let advice = "write buffer=32k before it"
            context.error(.invalidValue, "\"flush\" needs a \"buffer\"", at: flush, suggestion: advice)
        }
        if let reason = Self.reason(against: file) {
            return context.warning(.unwrittenLog, "nothing is written to \(file.shownText): \(reason)", at: file)
        }
        rules.append(rule)
    }

    /// Puts the level's settings in the place of all that is inherited.
    func finish(_ settings: inout Settings, in context: inout CompileContext) {
        if isStated { settings.accessLogs = context.tables.accessLogs.append(isOff ? [] : rules) }
    }

    private static func refuse(_ word: Word, in context: inout CompileContext) {
        let advice = "write buffer=SIZE, flush=TIME, gzip or if=CONDITION after the format"
        context.error(.invalidValue, "invalid parameter \(word.shownText)", at: word, suggestion: advice)
    }

    /// The reason why nothing can be written to a file; nil where it can.
    private static func reason(against file: Word) -> String? {
        if file.bytes.starts(with: "syslog:".utf8) { return "requests are written to files only" }
        if file.bytes.contains(UInt8(ascii: "$")) { return "the name of a file has no variables" }
        return file.bytes.isEmpty || file.bytes.contains(0) ? "this is not the name of a file" : nil
    }

    /// The format that a directive names; nil where there is none.
    private static func format(
        _ directive: CheckedDirective,
        in context: inout CompileContext
    ) -> TableIndex<LogLineFormat>? {
        let name = directive.arguments.count > 1 ? directive.arguments[1].text : LogFormatCompiler.usual
        if let known = context.tables.logFormats.firstIndex(where: { $0.name == name }) { return TableIndex(known) }
        if name == LogFormatCompiler.usual { return LogFormatCompiler.addUsual(in: &context) }
        let names = context.tables.logFormats.map(\.name) + [LogFormatCompiler.usual]
        let meant = Suggestion.meant(by: name, among: names)
        let message = "unknown log format \"\(name)\": this log is not written"
        let advice = meant ?? "define it with log_format in \"http\""
        context.warning(.unknownLogFormat, message, at: directive.arguments[1], suggestion: advice)
        return nil
    }
}
