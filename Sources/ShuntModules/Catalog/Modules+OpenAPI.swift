import ShuntCore
import ShuntInterfaces

extension Modules {
    /// The addresses that the network reaches, as an OpenAPI 3.1 document.
    ///
    /// Parameters, bodies and answers have the schemas of the types, as far as those show what they read. Addresses of
    /// slots, and those of another scheme, are left out. A parameter that is not a part of the path is in the query, or
    /// in the body where the method has one.
    ///
    /// - Parameters:
    ///   - title: The name of the program.
    ///   - version: Its version.
    /// - Returns: One line of JSON.
    public func openAPI(title: String, version: String) -> String {
        var paths: [String: [(method: String, operation: JSONObject)]] = [:]
        let endpoints = root.endpoints.values.map { $0 } + drafts.flatMap(\.endpoints)
        for endpoint in endpoints.sorted(by: { $0.contract.name < $1.contract.name }) {
            guard endpoint.exposure.contains(.network), let address = endpoint.contract.address, address.hasPrefix("/")
            else { continue }
            let operation = DescribedOperation(endpoint.contract, at: address)
            paths[operation.path, default: []].append((operation.method, operation.json))
        }
        let document: JSONObject = [
            "openapi": "3.1.0",
            "info": ["title": title, "version": version] as JSONObject,
            "paths": JSONObject(
                paths.sorted { $0.key < $1.key }.map { ($0.key, JSONObject($0.value.map { ($0, $1) })) }
            ),
        ]
        return String(decoding: document.bytes, as: UTF8.self)
    }
}

/// An address that the network reaches, in the words of OpenAPI.
private struct DescribedOperation {
    let path: String
    let method: String
    let json: JSONObject

    init(_ contract: Contract, at address: String) {
        let (path, names) = Self.template(of: address)
        self.path = path
        method = (contract.method ?? "GET").lowercased()
        let members = (contract.input as? any Decodable.Type).map { ParameterProbe.members(of: $0) } ?? []
        let others = members.filter { !names.contains($0.name) }
        let hasBody = ["post", "put", "patch"].contains(method)
        let inPath = names.map { name in
            Self.parameter(name, in: "path", members.first { $0.name == name }?.type ?? String.self, isRequired: true)
        }
        let inQuery =
            hasBody ? [] : others.map { Self.parameter($0.name, in: "query", $0.type, isRequired: !$0.isOptional) }
        let parameters = inPath + inQuery
        json = [
            "operationId": contract.name,
            "parameters": parameters.isEmpty ? nil : parameters,
            "requestBody": hasBody && !others.isEmpty ? Self.body(others) : nil,
            "responses": Self.responses(contract),
        ]
    }

    private static func parameter(_ name: String, in place: String, _ type: Any.Type, isRequired: Bool) -> JSONObject {
        ["name": name, "in": place, "required": isRequired, "schema": TypeSchema.schema(of: type)]
    }

    private static func body(_ members: [ParameterProbe.Member]) -> JSONObject {
        let required = members.filter { !$0.isOptional }.map(\.name)
        let schema: JSONObject = [
            "type": "object",
            "properties": JSONObject(members.map { ($0.name, TypeSchema.schema(of: $0.type)) }),
            "required": required.isEmpty ? nil : required,
        ]
        return ["required": !required.isEmpty, "content": content("application/json", schema)]
    }

    private static func responses(_ contract: Contract) -> JSONObject {
        let other: JSONObject = ["description": "An error: its status, and for 400 the parameters that do not fit"]
        if contract.output == NoValue.self, contract.kind == .action {
            return ["204": ["description": "Done"] as JSONObject, "default": other]
        }
        let schema = TypeSchema.schema(of: contract.output)
        let answer: JSONObject =
            switch contract.kind {
            case .feed: ["description": "A stream of values", "content": content("text/event-stream", schema)]
            case .event:
                [
                    "description": "The replies",
                    "content": content("application/json", ["type": "array", "items": schema]),
                ]
            default: ["description": "The value", "content": content("application/json", schema)]
            }
        return ["200": answer, "default": other]
    }

    private static func content(_ type: String, _ schema: JSONObject) -> JSONObject {
        JSONObject([(type, ["schema": schema] as JSONObject)])
    }

    /// The pattern of an address as a template, and the names in it.
    private static func template(of address: String) -> (path: String, names: [String]) {
        var (path, names): (String, [String]) = ("", [])
        var rest = address.prefix { $0 != "?" && $0 != "#" }[...]
        while let character = rest.popFirst() {
            guard character == ":" || character == "*" else {
                path.append(character)
                continue
            }
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard !name.isEmpty else {
                path.append(character)
                continue
            }
            rest.removeFirst(name.count)
            if rest.first == "(" {
                var depth = 0
                while let next = rest.popFirst() {
                    depth += next == "(" ? 1 : next == ")" ? -1 : 0
                    if depth == 0 { break }
                }
            }
            if let next = rest.first, "?*+".contains(next) { rest.removeFirst() }
            path += "{\(name)}"
            names.append(String(name))
        }
        return (path, names)
    }
}
