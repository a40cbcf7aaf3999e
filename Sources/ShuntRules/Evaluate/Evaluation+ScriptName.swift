import ShuntCore
import ShuntPatterns

/// The path as a FastCGI server gets it: http://nginx.org/en/docs/http/ngx_http_fastcgi_module.html
extension Evaluation {
    /// `$fastcgi_script_name`: the path, or the first group of `fastcgi_split_path_info`, with `fastcgi_index` after a slash.
    func scriptName(_ settings: Settings) throws(EvaluationFailure) -> ByteRange {
        let name = try splitPath(settings)?.script ?? server.uri
        guard let index = settings.scriptIndex, !name.isEmpty, arena[name.end - 1] == UInt8(ascii: "/") else {
            return name
        }
        let mark = arena.mark
        arena.append(copyOf: name)
        arena.append(Array(program.tables.constants[index.indices]))
        return try made(from: mark)
    }

    /// `$fastcgi_path_info`: the second group of `fastcgi_split_path_info`.
    func pathInfo(_ settings: Settings) throws(EvaluationFailure) -> ByteRange {
        try splitPath(settings)?.info ?? .empty
    }

    /// The groups; nil where there is no expression or it does not match.
    ///
    /// They are not the groups that `$1` and `$2` are.
    private func splitPath(_ settings: Settings) throws(EvaluationFailure) -> (script: ByteRange, info: ByteRange)? {
        guard !settings.scriptPattern.isNone else { return nil }
        let path = server.uri
        switch arena.withBytes(
            path,
            { program.expressions.match(settings.scriptPattern.position, $0, scratch: memory.scratch) }
        ) {
        case .noMatch:
            return nil
        case .limitExceeded:
            throw failure(.patternLimit)
        case .matched:
            func group(_ number: Int) -> ByteRange {
                guard let range = memory.scratch.capture(number) else { return .empty }
                return ByteRange(start: path.start + range.start, end: path.start + range.end)
            }
            return (group(1), group(2))
        }
    }
}
