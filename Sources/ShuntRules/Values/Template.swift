import ShuntCore

/// One piece of an interpolated string.
///
/// A string is a run of parts in the program's list of parts, and goes by the index of the first. An empty one is a
/// literal without bytes.
struct TemplatePart: Sendable {
    enum Kind: UInt8, Sendable {
        /// The constant bytes `a ..< b`.
        case literal
        /// The value of variable `a`.
        case variable
        /// The numbered capture `a`.
        case capture
    }

    var kind: Kind
    /// True if the string ends with this part.
    var isLast = false
    /// True if the string has a variable; only in its first part.
    var hasVariables = true
    var a: Int32
    var b: Int32

    init(_ kind: Kind, _ a: Int32, _ b: Int32 = 0) {
        self.kind = kind
        self.a = a
        self.b = b
    }

    var variable: VariableIndex { VariableIndex(a) }

    /// True if the string that begins with this part has no variable and no capture in it.
    var isConstant: Bool { isLast && kind == .literal }
}

/// The problems an interpolated string can have, with the byte where each begins.
struct TemplateProblem: Error {
    var offset: Int
    var length: Int
    var code: DiagnosticCode
    var message: String
}

/// A piece of an interpolated string as written.
enum TemplatePiece: Equatable {
    case literal([UInt8])
    case variable(String, offset: Int, length: Int)
    case capture(Int, offset: Int)
}

/// Takes interpolated strings apart: `$name`, `${name}` and `$1` to `$9`.
///
/// There is no way to escape a dollar sign in nginx's grammar (http://nginx.org/en/docs/http/ngx_http_rewrite_module.html
/// names none), so a `$` that begins no name is an error.
enum TemplateSyntax {
    /// The pieces of `bytes`, or the first thing wrong with it.
    static func pieces(of bytes: [UInt8]) throws(TemplateProblem) -> [TemplatePiece] {
        var pieces: [TemplatePiece] = []
        var literalStart = 0
        var index = 0

        func endLiteral(at end: Int) {
            if end > literalStart { pieces.append(.literal(Array(bytes[literalStart..<end]))) }
        }

        while index < bytes.count {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "$") else {
                index += 1
                continue
            }
            let start = index
            index += 1
            guard index < bytes.count else { throw invalidName(at: start, length: 1) }
            if bytes[index] >= UInt8(ascii: "1"), bytes[index] <= UInt8(ascii: "9") {
                endLiteral(at: start)
                pieces.append(.capture(Int(bytes[index] - UInt8(ascii: "0")), offset: start))
                index += 1
                literalStart = index
                continue
            }
            let isBraced = bytes[index] == UInt8(ascii: "{")
            if isBraced { index += 1 }
            let nameStart = index
            while index < bytes.count, bytes[index].isASCIILetter || bytes[index].isASCIIDigit || bytes[index] == 0x5f {
                index += 1
            }
            let nameEnd = index
            if isBraced {
                guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else {
                    throw TemplateProblem(
                        offset: start,
                        length: index - start,
                        code: .unclosedVariable,
                        message: "the closing bracket in the variable "
                            + "\"\(String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self))\" is missing"
                    )
                }
                index += 1
            }
            guard nameEnd > nameStart else { throw invalidName(at: start, length: index - start) }
            endLiteral(at: start)
            literalStart = index
            let name = String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self)
            pieces.append(.variable(name, offset: start, length: index - start))
        }
        endLiteral(at: bytes.count)
        return pieces
    }

    private static func invalidName(at offset: Int, length: Int) -> TemplateProblem {
        TemplateProblem(
            offset: offset,
            length: max(1, length),
            code: .invalidVariableName,
            message: "a \"$\" must be followed by the name of a variable or by a digit from 1 to 9"
        )
    }
}
