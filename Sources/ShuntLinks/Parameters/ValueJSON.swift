package import ShuntCore

/// Values as JSON, for doors that know the types: the same encoder and decoder that URLs have.
package enum ValueJSON {
    /// The JSON of a value.
    ///
    /// - Throws: What the type throws.
    package static func value(of value: some Encodable) throws -> JSONValue { try OutputEncoder.json(value) }

    package static func bytes(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        value.write(to: &writer)
        return writer.bytes
    }

    /// Reads a value of a type from JSON.
    ///
    /// - Throws: `ValueProblems`, with everything that does not fit.
    package static func read<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws(ValueProblems) -> Value
    {
        try InputDecoder.read(.json(json)) { try $0.value(type) }
    }

    /// The values that a URL can express of an input, by name and in order.
    ///
    /// - Throws: `ValueProblems` for members that are not single values, and for inputs without members.
    package static func texts(of input: JSONValue) throws(ValueProblems) -> [(name: String, text: String)] {
        guard case .object(let members) = input else {
            throw ValueProblems(problems: [.unreadable(input.kind, wanted: "an object")])
        }
        var texts: [(name: String, text: String)] = []
        var problems: [ParameterProblem] = []
        for member in members {
            var values = [member.value]
            if case .array(let items) = member.value { values = items }
            for value in values {
                switch value {
                case .null: continue
                case .object, .array:
                    problems.append(.unreadable(value.kind, wanted: "one value", name: member.name))
                default: texts.append((member.name, InputNode.json(value).text))
                }
            }
        }
        guard problems.isEmpty else { throw ValueProblems(problems: problems) }
        return texts
    }
}

/// Parameters or JSON that do not fit a type, or a value that does not fit a URL.
package struct ValueProblems: Error {
    package let problems: [ParameterProblem]
}
