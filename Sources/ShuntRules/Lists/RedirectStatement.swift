import ShuntCore

/// A row of a list of redirects in the words of rules: what it compares, and its answer.
package struct RedirectStatement: Sendable {
    /// A part of a target.
    package enum Piece: Sendable {
        /// A text with its escapes.
        case text([UInt8])
        /// A group of the expression on the path.
        case group(Int)
    }

    package var row: Int
    package var line: Int32
    /// "http" or "https"; empty for both.
    package var scheme: String
    /// The host; empty for all.
    package var host: [UInt8]
    package var includesSubdomains: Bool
    /// The path as rules see it, or an expression on it without anchors.
    package var path: [UInt8]
    package var isExpression: Bool
    /// The query that the row is for; nil for any.
    package var query: [UInt8]?
    /// True if it depends on single arguments, or on the client.
    package var hasConditions: Bool
    package var status: Int
    package var keepsQuery: Bool
    package var target: [Piece]
    /// The place among the rows of a list without an order: the lowest is the first.
    var order: Int

    /// The parts of a target.
    static func pieces(_ bytes: ArraySlice<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        var text: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == RedirectList.captureMark, index + 1 < bytes.endIndex {
                if !text.isEmpty { pieces.append(.text(text)) }
                text = []
                pieces.append(.group(Int(bytes[index + 1] & ~RedirectList.queryFlag)))
                index += 2
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        return text.isEmpty ? pieces : pieces + [.text(text)]
    }
}

extension RedirectListBuilder {
    /// The rows that are in use, in the order in which the first that matches decides.
    package func statements(of list: RedirectList) -> [RedirectStatement] {
        statements.filter { !list.rows[$0.row].isLeftOut }
            .sorted { one, other in
                let ranks = (list.rank(of: Int32(one.row)) ?? 0, list.rank(of: Int32(other.row)) ?? 0)
                return list.form == .bulk || list.form.isOrdered
                    ? ranks.0 < ranks.1 : (one.order, one.row) < (other.order, other.row)
            }
    }

    /// The statement of a row that is in use.
    func statement(
        _ row: RedirectRow,
        key: RedirectKey,
        source: RedirectSource?,
        entry: RedirectList.Row,
        number: Int
    ) -> RedirectStatement {
        let hasQuery = key.parts.contains(.query)
        let exactQuery: [UInt8]? = query == .exact ? [] : nil
        return RedirectStatement(
            row: number,
            line: row.line,
            scheme: String(decoding: key.scheme.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self),
            host: key.parts.contains(.host) ? arena.array(key.host) : [],
            includesSubdomains: row.includesSubdomains,
            path: source?.expression ?? key.decodedPath(in: arena),
            isExpression: source != nil,
            query: hasQuery && source == nil ? key.queryText(in: arena) : hasQuery ? nil : exactQuery,
            hasConditions: !row.conditions.isEmpty || !row.audience.isEmpty,
            status: Int(entry.status),
            keepsQuery: entry.keepsQuery,
            target: RedirectStatement.pieces(targets[entry.target.indices]),
            order: (source == nil ? 0 : 8) - Self.order(key.parts)
        )
    }
}
