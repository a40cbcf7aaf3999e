import ShuntCore
import ShuntInterfaces

enum CatalogWriter {
    static func json(_ catalog: Catalog) -> String {
        let object: JSONObject = ["modules": catalog.modules.map(object)]
        return String(decoding: object.bytes, as: UTF8.self)
    }

    private static func object(_ module: Catalog.Module) -> JSONObject {
        [
            "name": module.name,
            "level": "\(module.level)",
            "priority": module.priority,
            "needs": module.needs.map { need -> JSONObject in [need.kind: need.name, "from": need.provider] },
            "services": module.services,
            "answers": module.answers.map(object),
            "slots": module.slots.map { slot -> JSONObject in
                [
                    "address": slot.address, "exposure": slot.address == nil ? nil : slot.exposure.names,
                    "limit": slot.limit, "module": object(slot.module),
                ]
            },
        ]
    }

    private static func object(_ answer: Catalog.Answer) -> JSONObject {
        let head: JSONObject = [answer.kind: answer.name, "input": answer.input, "output": answer.output]
        guard let address = answer.address else { return head }
        return head.adding([
            "address": address,
            "method": answer.method,
            "exposure": answer.exposure.names,
            "parameters": answer.parameters.map { parameter -> JSONObject in
                ["name": parameter.name, "type": parameter.type, "optional": parameter.isOptional ? true : nil]
            },
        ])
    }
}

extension Exposure {
    /// The callers that may use an address, by the names in code; `code` always may.
    var names: [String] {
        let all: [(Exposure, String)] = [(.code, "code"), (.links, "links"), (.web, "web"), (.network, "network")]
        return all.filter { $0.0 == .code || contains($0.0) }.map(\.1)
    }
}
