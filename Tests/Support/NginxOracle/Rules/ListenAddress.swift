/// The listening addresses of a rule set, in the order in which they are first written. Each gets a separate port on
/// 127.0.0.1 when the rules are run.
extension RuleText {
    /// `8080`, `*:8080` and `0.0.0.0:8080` are one address; a server without `listen` listens on port 80.
    package static func canonicalListen(_ text: [UInt8]) -> String {
        var text = String(decoding: text, as: UTF8.self)
        for prefix in ["*:", "0.0.0.0:"] where text.hasPrefix(prefix) { text.removeFirst(prefix.count) }
        return text
    }

    package static let defaultListen = "80"

    /// The distinct addresses; at least one.
    package var listens: [String] {
        var result: [String] = []
        for edit in listenEdits where !result.contains(edit.address) { result.append(edit.address) }
        return result.isEmpty ? [Self.defaultListen] : result
    }

    /// The place where a `listen` has to be changed or put in.
    struct ListenEdit {
        var address: String
        /// The word that is the address; empty where a whole `listen` has to be put in.
        var range: Range<Int>
    }

    var listenEdits: [ListenEdit] {
        hasServer ? listenEditsOfServers : listenEditsOfBody
    }

    private var listenEditsOfBody: [ListenEdit] {
        let written = directives(named: "listen").filter { $0.words.count > 1 }
        return written.map { ListenEdit(address: Self.canonicalListen($0.words[1].bytes), range: $0.words[1].range) }
    }

    private var listenEditsOfServers: [ListenEdit] {
        var result: [ListenEdit] = []
        var depth = 0
        var server: (start: Int, written: Bool)?
        for item in items {
            switch item.kind {
            case .open:
                if depth == 0, item.name == "server" { server = (item.end, false) }
                depth += 1
            case .close:
                depth -= 1
                guard depth == 0, let open = server else { continue }
                if !open.written {
                    result.append(ListenEdit(address: Self.defaultListen, range: open.start..<open.start))
                }
                server = nil
            case .directive:
                guard depth == 1, server != nil, item.name == "listen", item.words.count > 1 else { continue }
                server?.written = true
                let word = item.words[1]
                result.append(ListenEdit(address: Self.canonicalListen(word.bytes), range: word.range))
            }
        }
        return result
    }
}
