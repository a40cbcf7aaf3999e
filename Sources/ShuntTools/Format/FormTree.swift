/// A file as directives, blocks and comments in their order.
struct FormTree {
    /// A directive or a comment on its own lines.
    enum Item {
        case comment(Piece)
        case directive(Directive)

        var first: Piece {
            switch self {
            case .comment(let piece): piece
            case .directive(let directive): directive.head[0]
            }
        }
    }

    /// A directive with what belongs to it.
    struct Directive {
        /// The words, and comments that are between them.
        var head: [Piece]
        var end: End
        /// The comment after it on its last line.
        var comment: Piece?
    }

    /// The end of a directive.
    enum End {
        case semicolon(Piece)
        case block(Block)
        case code(open: Piece, Piece)
    }

    /// The content between braces.
    struct Block {
        var open: Piece
        /// The comment after the opening brace on its line.
        var comment: Piece?
        var items: [Item] = []
        /// True if it was on one line.
        var isOnOneLine = true
    }

    private(set) var items: [Item]

    /// Puts the pieces of a file without errors together, of which none is left over.
    init(_ pieces: [Piece]) {
        var reader = Reader(pieces: pieces)
        items = reader.items()
    }

    private struct Reader {
        let pieces: [Piece]
        private var index = 0

        init(pieces: [Piece]) { self.pieces = pieces }

        /// The items up to the end of the block, or of the file.
        mutating func items() -> [Item] {
            var items: [Item] = []
            while index < pieces.count, pieces[index].kind != .closeBrace {
                if pieces[index].kind == .comment {
                    items.append(.comment(pieces[index]))
                    index += 1
                } else if let directive = directive() {
                    items.append(.directive(directive))
                }
            }
            return items
        }

        private mutating func directive() -> Directive? {
            var head: [Piece] = []
            while index < pieces.count {
                let piece = pieces[index]
                index += 1
                switch piece.kind {
                case .word, .comment: head.append(piece)
                case .semicolon: return Directive(head: head, end: .semicolon(piece), comment: commentBehind())
                case .openBrace:
                    if index < pieces.count, pieces[index].kind == .code {
                        let code = pieces[index]
                        index += 2
                        return Directive(head: head, end: .code(open: piece, code), comment: commentBehind())
                    }
                    let block = self.block(piece)
                    return Directive(head: head, end: .block(block), comment: commentBehind())
                case .code, .closeBrace: return nil
                }
            }
            return nil
        }

        private mutating func block(_ open: Piece) -> Block {
            var block = Block(open: open)
            let first = index
            block.comment = commentBehind()
            block.items = items()
            let close = min(index, pieces.count - 1)
            block.isOnOneLine = !pieces[first...max(first, close)].contains { $0.isFirstOnLine || $0.hasLineBreak }
            index += 1
            return block
        }

        private mutating func commentBehind() -> Piece? {
            guard index < pieces.count, pieces[index].kind == .comment, !pieces[index].isFirstOnLine else { return nil }
            index += 1
            return pieces[index - 1]
        }
    }
}
