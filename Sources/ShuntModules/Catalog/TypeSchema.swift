import ShuntCore
import ShuntInterfaces

/// Schemas of types, in JSON Schema 2020-12 as OpenAPI 3.1 has it, as far as the types themselves show it.
struct TypeSchema {
    /// The types around the written type: one that holds itself is not written again.
    private var around: Set<ObjectIdentifier> = []

    /// The schema of a type; an empty one, which everything fits, if it shows nothing.
    static func schema(of type: Any.Type) -> JSONObject { TypeSchema().schema(of: type) }

    private func schema(of type: Any.Type) -> JSONObject {
        if let plain = Self.plain(type) { return ["type": plain] }
        if let optional = type as? any WrappedType.Type { return schema(of: optional.wrappedType) }
        if let list = type as? any ListType.Type { return ["type": "array", "items": schema(of: list.elementType)] }
        if let object = type as? any DictionaryType.Type {
            return ["type": "object", "additionalProperties": schema(of: object.valueType)]
        }
        if let cases = type as? any CaseIterable.Type, let names = cases.rawTexts {
            return ["type": "string", "enum": names]
        }
        guard let decodable = type as? any Decodable.Type, !around.contains(ObjectIdentifier(type)) else { return [:] }
        let members = ParameterProbe.members(of: decodable)
        guard !members.isEmpty else { return [:] }
        var inner = self
        inner.around.insert(ObjectIdentifier(type))
        let required = members.filter { !$0.isOptional }.map(\.name)
        return [
            "type": "object",
            "properties": JSONObject(members.map { ($0.name, inner.schema(of: $0.type)) }),
            "required": required.isEmpty ? nil : required,
        ]
    }

    private static func plain(_ type: Any.Type) -> String? {
        switch type {
        case is String.Type: "string"
        case is Bool.Type: "boolean"
        case is Double.Type, is Float.Type: "number"
        case is any FixedWidthInteger.Type: "integer"
        default: nil
        }
    }
}

private protocol WrappedType { static var wrappedType: Any.Type { get } }

extension Optional: WrappedType {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
}

private protocol ListType { static var elementType: Any.Type { get } }

extension Array: ListType {
    fileprivate static var elementType: Any.Type { Element.self }
}

extension Set: ListType {
    fileprivate static var elementType: Any.Type { Element.self }
}

private protocol DictionaryType { static var valueType: Any.Type { get } }

extension Dictionary: DictionaryType where Key == String {
    fileprivate static var valueType: Any.Type { Value.self }
}

extension CaseIterable {
    /// The texts that the cases are written as; nil if they are not texts.
    fileprivate static var rawTexts: [String]? {
        var texts: [String] = []
        for value in allCases {
            guard let value = value as? any RawRepresentable, let text = value.rawValue as? String else { return nil }
            texts.append(text)
        }
        return texts
    }
}
