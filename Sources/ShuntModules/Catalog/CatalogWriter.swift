import ShuntCore
import ShuntInterfaces

/// Writes a catalogue as JSON.
enum CatalogWriter {
    static func json(_ catalog: Catalog) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("modules")
            writer.array { writer in for module in catalog.modules { write(module, to: &writer) } }
        }
        return writer.text
    }

    private static func write(_ module: Catalog.Module, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", module.name)
            writer.member("level", "\(module.level)")
            writer.member("priority", module.priority)
            writer.name("needs")
            writer.array { writer in
                for need in module.needs {
                    writer.object { writer in
                        writer.member(need.kind, need.name)
                        if let provider = need.provider { writer.member("from", provider) }
                    }
                }
            }
            writer.name("services")
            writer.array { writer in for service in module.services { writer.string(service) } }
            writer.name("answers")
            writer.array { writer in for answer in module.answers { write(answer, to: &writer) } }
            writer.name("slots")
            writer.array { writer in
                for slot in module.slots {
                    writer.object { writer in
                        if let address = slot.address {
                            writer.member("address", address)
                            write(slot.exposure, to: &writer)
                        }
                        writer.member("limit", slot.limit)
                        writer.name("module")
                        write(slot.module, to: &writer)
                    }
                }
            }
        }
    }

    private static func write(_ exposure: Exposure, to writer: inout JSONWriter) {
        writer.name("exposure")
        writer.array { writer in for name in exposure.names { writer.string(name) } }
    }

    private static func write(_ answer: Catalog.Answer, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(answer.kind, answer.name)
            writer.member("input", answer.input)
            writer.member("output", answer.output)
            guard let address = answer.address else { return }
            writer.member("address", address)
            if let method = answer.method { writer.member("method", method) }
            write(answer.exposure, to: &writer)
            writer.name("parameters")
            writer.array { writer in
                for parameter in answer.parameters {
                    writer.object { writer in
                        writer.member("name", parameter.name)
                        writer.member("type", parameter.type)
                        if parameter.isOptional { writer.member("optional", true) }
                    }
                }
            }
        }
    }
}

extension Exposure {
    /// The callers that may use an address, by the names in code; `code` always may.
    var names: [String] {
        let all: [(Exposure, String)] = [(.code, "code"), (.links, "links"), (.web, "web"), (.network, "network")]
        return all.filter { $0.0 == .code || contains($0.0) }.map(\.1)
    }
}
