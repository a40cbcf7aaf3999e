import ShuntPatterns

/// A place in a table of the program: an index of one table is not an index of another one.
///
/// It is as small as a number, so that a record of many of them touches few lines of cache; nowhere is a separate value
/// instead of an optional for the same reason.
struct TableIndex<Element>: Hashable, Comparable, Sendable {
    /// The number of elements before it; negative for `none`.
    let number: Int32

    @inline(__always)
    init(_ number: Int32) { self.number = number }

    init(_ number: Int) { self.number = Int32(number) }

    /// Creates the index that an instruction has stored; its operation determines the table.
    @inline(__always)
    init(_ operand: Operand) { number = operand.number }

    /// The same as a separate number, for lists that go along with the table.
    @inline(__always)
    var position: Int { Int(number) }

    /// Nowhere.
    static var none: TableIndex { TableIndex(-1 as Int32) }

    static var first: TableIndex { TableIndex(0 as Int32) }

    @inline(__always)
    var isNone: Bool { number < 0 }

    static func < (left: TableIndex, right: TableIndex) -> Bool { left.number < right.number }
}

/// An index as an instruction has it: the operation decides into which table.
struct Operand: Hashable, Sendable {
    let number: Int32

    init<Element>(_ index: TableIndex<Element>) { number = index.number }

    /// The operand of an instruction without this operand.
    static var unused: Operand { Operand(TableIndex<Never>(0 as Int32)) }
}

/// A table of the program, whose elements refer to those of others by their indices.
struct Table<Element: Sendable>: Sendable, RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
    private var elements: [Element]

    init(arrayLiteral elements: Element...) { self.elements = elements }

    var startIndex: Int { 0 }
    var endIndex: Int { elements.count }

    subscript(_ position: Int) -> Element {
        @inline(__always) get { elements[position] }
        @inline(__always) _modify { yield &elements[position] }
    }

    subscript(_ index: TableIndex<Element>) -> Element {
        @inline(__always) get { elements[Int(index.number)] }
        @inline(__always) _modify { yield &elements[Int(index.number)] }
    }

    /// The element that an instruction names.
    subscript(_ operand: Operand) -> Element { @inline(__always) get { elements[Int(operand.number)] } }

    /// The index of the next element that is added.
    var next: TableIndex<Element> { TableIndex(elements.count) }

    /// Adds an element, and returns where it is.
    @discardableResult
    mutating func append(_ element: Element) -> TableIndex<Element> {
        elements.append(element)
        return TableIndex(elements.count - 1)
    }
}

typealias ExpressionIndex = TableIndex<RegularExpression>
/// A template goes by the index of its first part.
typealias TemplateIndex = TableIndex<TemplatePart>
typealias VariableIndex = TableIndex<Variable>
