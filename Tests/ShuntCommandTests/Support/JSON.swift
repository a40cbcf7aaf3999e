import Foundation

/// A JSON document, for looking into it.
///
/// It is read by Foundation and not by our own reader.
struct JSON {
    private let value: Any?

    init(_ bytes: [UInt8]) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    init(_ text: String) throws {
        try self.init(Array(text.utf8))
    }

    private init(value: Any?) {
        self.value = value
    }

    subscript(_ name: String) -> JSON { JSON(value: (value as? [String: Any])?[name]) }

    subscript(_ index: Int) -> JSON {
        guard let items = value as? [Any], items.indices.contains(index) else { return JSON(value: nil) }
        return JSON(value: items[index])
    }

    var string: String? { value as? String }
    var number: Int? { value as? Int }
    var decimal: Double? { value as? Double }
    var strings: [String]? { value as? [String] }
    var count: Int { (value as? [Any])?.count ?? 0 }
    var names: [String] { (value as? [String: Any])?.keys.sorted() ?? [] }
    var exists: Bool { value != nil }
}
