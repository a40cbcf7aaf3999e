import Shunt

enum CatalogListing {
    static func text(_ module: CatalogFile.Module, indent: String = "") -> String {
        let priority = module.priority == "0" ? "" : " \(module.priority)"
        var lines = [indent + module.name + (module.level == "normal" ? "" : "  \(module.level)") + priority]
        let inner = indent + "    "
        for need in module.needs { lines.append("\(inner)needs     \(need)") }
        for service in module.services { lines.append("\(inner)provides  \(service)") }
        for answer in module.answers {
            lines.append("\(inner)\(answer.kind.padded(to: 10))\(answer.name)  (\(answer.input)) -> \(answer.output)")
            guard let address = answer.address else { continue }
            let method = answer.method.map { "\($0) " } ?? ""
            let parameters = answer.parameters.isEmpty ? "" : "  \(answer.parameters.joined(separator: ", "))"
            lines.append(
                "\(inner)          \(method)\(address)  for \(answer.exposure.joined(separator: ", "))\(parameters)"
            )
        }
        var text = lines.map { $0 + "\n" }.joined()
        for slot in module.slots {
            let address = slot.address.map { "\($0)  for \(slot.exposure.joined(separator: ", "))  " } ?? ""
            text += "\(inner)slot      \(address)\(slot.limit == "1" ? "one" : "at most \(slot.limit)"):\n"
            text += Self.text(slot.module, indent: inner + "    ")
        }
        return text
    }
}
