import ShuntCore

extension JSONWriter {
    /// Writes a member with an array of strings.
    mutating func strings(_ name: String, _ values: [String]) {
        self.name(name)
        array { writer in
            for value in values { writer.string(value) }
        }
    }

    /// Writes a member with an array of whole numbers.
    mutating func numbers(_ name: String, _ values: [Int]) {
        self.name(name)
        array { writer in
            for value in values { writer.number(value) }
        }
    }

    /// Writes a member with JSON text that is written already; `null` where there is none.
    mutating func document(_ name: String, _ text: [UInt8]?) {
        self.name(name)
        if let text { json(text.span) } else { null() }
    }
}
