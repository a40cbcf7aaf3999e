import Shunt

/// A catalogue of modules, as `Modules.catalog.json()` writes it.
struct CatalogFile {
    /// An action, a feed or an event that a module answers.
    struct Answer {
        var kind: String
        var name: String
        var input: String
        var output: String
        /// The pattern, after those of the slots around it; nil for what no URL reaches.
        var address: String?
        var method: String?
        /// The callers that the contract and each slot on the way to it let in.
        var exposure: [String]
        var parameters: [String]
        /// The place where the address is.
        var place: Range<Int>
    }

    struct Module {
        var name: String
        var level: String
        var priority: String
        /// Such as `service SignIn.session from SignIn`.
        var needs: [String]
        var services: [String]
        var answers: [Answer]
        var slots: [(address: String?, exposure: [String], limit: String, module: Module)]
        var json: String
    }

    private(set) var modules: [Module] = []
    private(set) var diagnostics: [Diagnostic] = []
    private let file: RuleFile

    init(_ bytes: [UInt8], named name: String) {
        file = RuleFile(name: name, bytes: bytes)
        do throws(JSONError) {
            let root = try JSONReader.readPlaced(bytes)
            guard let items = root["modules"]?.items else {
                report("a catalogue is an object with a list of \"modules\"", at: root.place)
                return
            }
            modules = items.compactMap { module($0, prefix: "", slots: nil) }
        } catch {
            report(error.problem, at: error.offset..<error.offset)
        }
    }

    static func isCatalog(_ bytes: [UInt8]) -> Bool {
        guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return false }
        return (try? JSONReader.readPlaced(bytes))?["modules"] != nil
    }

    /// All that URLs reach, those in slots too.
    var addresses: [Answer] {
        func all(_ module: Module) -> [Answer] {
            module.answers.filter { $0.address != nil } + module.slots.flatMap { all($0.module) }
        }
        return modules.flatMap(all)
    }

    private mutating func module(_ value: PlacedJSON, prefix: String, slots: [String]?) -> Module? {
        guard let name = value["name"]?.text else {
            report("a module is an object with a \"name\"", at: value.place)
            return nil
        }
        var module = Module(
            name: name,
            level: value["level"]?.text ?? "normal",
            priority: number(value["priority"]) ?? "0",
            needs: (value["needs"]?.items ?? []).map(Self.need),
            services: (value["services"]?.items ?? []).compactMap(\.text),
            answers: [],
            slots: [],
            json: String(decoding: file.bytes[value.place], as: UTF8.self)
        )
        for item in value["answers"]?.items ?? [] {
            if let answer = answer(item, prefix: prefix, slots: slots) { module.answers.append(answer) }
        }
        for item in value["slots"]?.items ?? [] {
            let address = item["address"]?.text
            guard let inner = item["module"] else {
                report("a slot has a \"module\"", at: item.place)
                continue
            }
            let open = Self.exposure(item, slots)
            guard let inside = self.module(inner, prefix: prefix + (address ?? ""), slots: open) else { continue }
            module.slots.append((address.map { prefix + $0 }, open, number(item["limit"]) ?? "1", inside))
        }
        return module
    }

    private mutating func answer(_ value: PlacedJSON, prefix: String, slots: [String]?) -> Answer? {
        let kinds = ["action", "feed", "event"]
        guard let kind = kinds.first(where: { value[$0] != nil }), let name = value[kind]?.text else {
            report("an answer is an object with an \"action\", a \"feed\" or an \"event\"", at: value.place)
            return nil
        }
        return Answer(
            kind: kind,
            name: name,
            input: value["input"]?.text ?? "",
            output: value["output"]?.text ?? "",
            address: value["address"]?.text.map { prefix + $0 },
            method: value["method"]?.text,
            exposure: Self.exposure(value, slots),
            parameters: (value["parameters"]?.items ?? [])
                .map { parameter in
                    var isOptional = false
                    if case .boolean(true)? = parameter["optional"]?.content { isOptional = true }
                    return "\(parameter["name"]?.text ?? ""): \(parameter["type"]?.text ?? "")\(isOptional ? "?" : "")"
                },
            place: (value["address"] ?? value).place
        )
    }

    /// The callers that a contract or a slot lets in, and the slots around it.
    private static func exposure(_ value: PlacedJSON, _ slots: [String]?) -> [String] {
        (value["exposure"]?.items?.compactMap(\.text) ?? ["code"]).filter { slots?.contains($0) ?? true }
    }

    private static func need(_ value: PlacedJSON) -> String {
        let kind = ["service", "list"].first { value[$0] != nil } ?? "action"
        let provider = value["from"]?.text.map { " from \($0)" } ?? ""
        return "\(kind) \(value[kind]?.text ?? "")\(provider)"
    }

    private func number(_ value: PlacedJSON?) -> String? {
        if case .number(let digits)? = value?.content { String(decoding: digits, as: UTF8.self) } else { nil }
    }

    func location(_ place: Range<Int>) -> SourceLocation { file.location(of: place.lowerBound) }

    private mutating func report(_ message: String, at place: Range<Int>) {
        diagnostics.append(file.diagnostic(.error(.catalog), message, at: file.place(of: place.lowerBound)))
    }
}
