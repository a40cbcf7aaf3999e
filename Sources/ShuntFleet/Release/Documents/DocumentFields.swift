import ShuntCore

/// The members of a JSON object that came from outside, taken by name and type, each within its limit.
///
/// Members that no one asks for are passed over, so that later versions may add some; a document of another `format` is
/// refused.
struct DocumentFields {
    let document: String
    private let members: [JSONMember]

    init(_ bytes: [UInt8], _ document: String, limit: Int, format: Int? = 1) throws(DocumentError) {
        guard bytes.count <= limit else {
            throw DocumentError(document, "it has \(bytes.count) bytes, more than \(limit)")
        }
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes)
        } catch {
            throw DocumentError(document, "it is not JSON: \(error)")
        }
        try self.init(value, document)
        if let format {
            let found = try integer("format", in: 0...Int.max)
            guard found == format else { throw DocumentError(document, "format \(found) is not known to this version") }
        }
    }

    init(_ value: JSONValue, _ document: String) throws(DocumentError) {
        guard case .object(let members) = value else { throw DocumentError(document, "it is not an object") }
        self.document = document
        self.members = members
    }

    /// The value of a member; nil where it is missing or `null`.
    func value(_ name: String) -> JSONValue? {
        // A document has a handful of members, each asked for once: looking through them is cheaper than a table.
        guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
        if case .null = members[index].value { return nil }
        return members[index].value
    }

    func error(_ name: String, _ problem: String) -> DocumentError { DocumentError(document, "\"\(name)\" \(problem)") }

    private func required<Value>(_ name: String, _ value: Value?) throws(DocumentError) -> Value {
        guard let value else { throw error(name, "is missing") }
        return value
    }

    // MARK: Text

    func optionalBytes(_ name: String, limit: Int) throws(DocumentError) -> [UInt8]? {
        guard let value = value(name) else { return nil }
        guard case .string(let bytes) = value else { throw error(name, "is \(value.kind), and no string") }
        guard bytes.count <= limit else { throw error(name, "is longer than \(limit) bytes") }
        return bytes
    }

    func optionalText(_ name: String, limit: Int = 1024) throws(DocumentError) -> String? {
        try optionalBytes(name, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    func text(_ name: String, limit: Int = 1024) throws(DocumentError) -> String {
        try required(name, try optionalText(name, limit: limit))
    }

    func parsed<Value>(_ name: String, what: String, _ read: (String) -> Value?) throws(DocumentError) -> Value {
        guard let value = read(try text(name)) else { throw error(name, "is not a \(what)") }
        return value
    }

    func contentName(_ name: String) throws(DocumentError) -> ContentName {
        try parsed(name, what: "SHA-256 of 64 hexadecimal digits") { ContentName($0) }
    }

    func time(_ name: String) throws(DocumentError) -> Timestamp {
        try parsed(name, what: "date and time") { try? Timestamp($0) }
    }

    // MARK: Numbers

    func optionalInteger(_ name: String, in range: ClosedRange<Int>) throws(DocumentError) -> Int? {
        guard let value = value(name) else { return nil }
        guard case .number(let digits) = value, let number = Int(String(decoding: digits, as: UTF8.self)) else {
            throw error(name, "is not a whole number")
        }
        guard range.contains(number) else {
            throw error(name, "is \(number), outside of \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(DocumentError) -> Int {
        try required(name, try optionalInteger(name, in: range))
    }

    func flag(_ name: String) throws(DocumentError) -> Bool {
        guard let value = value(name) else { return false }
        guard case .boolean(let flag) = value else { throw error(name, "is not a boolean") }
        return flag
    }

    // MARK: Parts

    func optionalObject(_ name: String) throws(DocumentError) -> DocumentFields? {
        guard let value = value(name) else { return nil }
        return try DocumentFields(value, "\(document).\(name)")
    }

    func object(_ name: String) throws(DocumentError) -> DocumentFields {
        try required(name, try optionalObject(name))
    }

    /// The items of an array; none where it is missing.
    func items(_ name: String, limit: Int) throws(DocumentError) -> [JSONValue] {
        guard let value = value(name) else { return [] }
        guard case .array(let items) = value else { throw error(name, "is \(value.kind), not an array") }
        guard items.count <= limit else { throw error(name, "has more than \(limit) items") }
        return items
    }

    func objects(_ name: String, limit: Int) throws(DocumentError) -> [DocumentFields] {
        try items(name, limit: limit)
            .map { item throws(DocumentError) in try DocumentFields(item, "\(document).\(name)") }
    }

    func texts(_ name: String, limit: Int, length: Int = 1024) throws(DocumentError) -> [String] {
        try items(name, limit: limit)
            .map { item throws(DocumentError) in
                guard case .string(let bytes) = item, bytes.count <= length else {
                    throw error(name, "has an item that is not a string of at most \(length) bytes")
                }
                return String(decoding: bytes, as: UTF8.self)
            }
    }

    func contentNames(_ name: String, limit: Int) throws(DocumentError) -> [ContentName] {
        try texts(name, limit: limit)
            .map { text throws(DocumentError) in
                guard let content = ContentName(text) else { throw error(name, "has an item that is not a SHA-256") }
                return content
            }
    }

    func integers(_ name: String, limit: Int, in range: ClosedRange<Int>) throws(DocumentError) -> [Int] {
        var numbers: [Int] = []
        for item in try items(name, limit: limit) {
            guard case .number(let digits) = item, let number = Int(String(decoding: digits, as: UTF8.self)),
                range.contains(number)
            else { throw error(name, "has an item that is not a number of \(range.lowerBound) to \(range.upperBound)") }
            numbers.append(number)
        }
        return numbers
    }
}
