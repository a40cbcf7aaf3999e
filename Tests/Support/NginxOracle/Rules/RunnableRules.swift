/// A rule text made ready to run: `server` around a bare body, a real port behind every `listen`.
///
/// Line numbers stay unchanged.
package struct RunnableRules: Sendable {
    /// The text, for the `http` level.
    package var text: [UInt8]
    /// The name of each block that got a number, by number minus `firstLabel`.
    package var labels: [String] = []

    /// Makes the text; `ports` has one entry for each of `rules.listens`.
    ///
    /// With `logging`, every location block names a separate log format, so that the log shows which one finished a
    /// request.
    package init(
        _ rules: RuleText,
        ports: [UInt16],
        root: String? = nil,
        logging: (path: String, firstLabel: Int)? = nil
    ) {
        let listens = rules.listens
        var edits: [(range: Range<Int>, text: String)] = []
        for edit in rules.listenEdits {
            guard let index = listens.firstIndex(of: edit.address), index < ports.count else { continue }
            let address = "127.0.0.1:\(ports[index])"
            edits.append((edit.range, edit.range.isEmpty ? " listen \(address); " : address))
        }
        if let logging {
            for block in rules.labelledBlocks {
                let format = "o\(logging.firstLabel + labels.count)"
                labels.append(block.label)
                edits.append((block.start..<block.start, " access_log \(logging.path) \(format); "))
            }
            // The log distinguishes a missing file and a rule's own 404.
            for name in ["log_not_found", "access_log"] {
                for item in rules.directives(named: name) {
                    guard let first = item.words.first else { continue }
                    edits.append((first.range.lowerBound..<item.end, ""))
                }
            }
        }
        if let root {
            for start in rules.serversWithoutRoot { edits.append((start..<start, " root \(root); ")) }
        }
        var body: [UInt8] = []
        var index = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            body += rules.bytes[index..<edit.range.lowerBound]
            body += Array(edit.text.utf8)
            index = edit.range.upperBound
        }
        body += rules.bytes[index...]
        if rules.hasServer {
            text = body
        } else {
            let listen = rules.listenEdits.isEmpty ? ports.first.map { "listen 127.0.0.1:\($0); " } ?? "" : ""
            let named = rules.topLevel.contains { $0.kind == .directive && $0.name == "server_name" }
            let name = named ? "" : "server_name localhost; "
            let ownRoot = rules.hasRoot ? "" : root.map { "root \($0); " } ?? ""
            text = Array("server { \(ownRoot)\(listen)\(name)".utf8) + body + Array("\n}\n".utf8)
        }
        if let root { text = text.replacing(Array("@ROOT@".utf8), with: Array(root.utf8)) }
    }
}

extension RuleText {
    struct LabelledBlock {
        var start: Int
        var label: String
    }

    /// The blocks whose configuration can finish a request: locations, and `if` and `limit_except` inside them.
    var labelledBlocks: [LabelledBlock] {
        var result: [LabelledBlock] = []
        var stack: [String?] = []
        for item in items {
            switch item.kind {
            case .directive: continue
            case .close: if !stack.isEmpty { stack.removeLast() }
            case .open:
                let outer = stack.last ?? nil
                var label: String?
                if item.name == "location" {
                    let words = item.words.dropFirst().map { String(decoding: $0.bytes, as: UTF8.self) }
                    label = (outer.map { "\($0) > " } ?? "") + words.joined(separator: " ")
                } else if let outer, item.name == "if" || item.name == "limit_except" {
                    label = "\(outer) [\(item.name)]"
                }
                if let label { result.append(LabelledBlock(start: item.end, label: label)) }
                stack.append(label)
            }
        }
        return result
    }
}

extension RuleText {
    /// True if the body of a server names its document root.
    var hasRoot: Bool { topLevel.contains { $0.kind == .directive && $0.name == "root" } }

    /// The place where the `server` blocks begin that name no document root.
    var serversWithoutRoot: [Int] {
        guard hasServer, !hasRoot else { return [] }
        var result: [Int] = []
        var depth = 0
        for item in items {
            switch item.kind {
            case .open:
                if depth == 0, item.name == "server" { result.append(item.end) }
                depth += 1
            case .close: depth -= 1
            case .directive: if depth == 1, item.name == "root", !result.isEmpty { result.removeLast() }
            }
        }
        return result
    }
}
