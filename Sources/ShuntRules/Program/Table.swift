package import ShuntPatterns

/// A place in a table of the program: an index of one table is no index of another one.
///
/// It is as small as a number, so that a record of many of them touches few lines of cache; nowhere is a value of its own instead
/// of an optional for the same reason.
package struct TableIndex<Element>: Hashable, Comparable, Sendable {
    /// The number of elements before it; negative for `none`.
    package let number: Int32

    @inline(__always)
    package init(_ number: Int32) { self.number = number }

    package init(_ number: Int) { self.number = Int32(number) }

    /// Creates the index that an instruction has stored; its operation determines the table.
    @inline(__always)
    package init(_ operand: Operand) { number = operand.number }

    /// The same as a number of its own, for lists that go along with the table.
    @inline(__always)
    package var position: Int { Int(number) }

    /// Nowhere.
    package static var none: TableIndex { TableIndex(-1 as Int32) }

    /// The first element.
    package static var first: TableIndex { TableIndex(0 as Int32) }

    /// True if it is nowhere.
    @inline(__always)
    package var isNone: Bool { number < 0 }

    package static func < (left: TableIndex, right: TableIndex) -> Bool { left.number < right.number }
}

/// An index as an instruction has it: the operation says into which table.
package struct Operand: Hashable, Sendable {
    package let number: Int32

    package init<Element>(_ index: TableIndex<Element>) { number = index.number }

    /// The operand of an instruction without this operand.
    package static var unused: Operand { Operand(TableIndex<Never>(0 as Int32)) }
}

/// A table of the program, whose elements refer to those of others by their indices.
package struct Table<Element: Sendable>: Sendable, RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral
{
    private var elements: [Element]

    package init(arrayLiteral elements: Element...) { self.elements = elements }

    package var startIndex: Int { 0 }
    package var endIndex: Int { elements.count }

    package subscript(_ position: Int) -> Element {
        @inline(__always) get { elements[position] }
        @inline(__always) _modify { yield &elements[position] }
    }

    package subscript(_ index: TableIndex<Element>) -> Element {
        @inline(__always) get { elements[Int(index.number)] }
        @inline(__always) _modify { yield &elements[Int(index.number)] }
    }

    /// The element that an instruction names.
    package subscript(_ operand: Operand) -> Element {
        @inline(__always) get { elements[Int(operand.number)] }
    }

    /// The index of the next element that is added.
    package var next: TableIndex<Element> { TableIndex(elements.count) }

    /// Adds an element, and tells where it is.
    @discardableResult
    package mutating func append(_ element: Element) -> TableIndex<Element> {
        elements.append(element)
        return TableIndex(elements.count - 1)
    }
}

package typealias ConditionIndex = TableIndex<Condition>
package typealias ExpressionIndex = TableIndex<RegularExpression>
package typealias InstructionIndex = TableIndex<Instruction>
package typealias LevelIndex = TableIndex<LocationLevel>
package typealias LocationIndex = TableIndex<Location>
package typealias MatcherIndex = TableIndex<Matcher>
package typealias ServerIndex = TableIndex<Server>
package typealias SettingsIndex = TableIndex<Settings>
/// A template goes by the index of its first part.
package typealias TemplateIndex = TableIndex<TemplatePart>
package typealias VariableIndex = TableIndex<Variable>
