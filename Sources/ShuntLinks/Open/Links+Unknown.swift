import Shunt
import ShuntModules

extension Links {
    /// Answers a URL that leads to nothing: the module under whose address it is, then the one of the options, then an
    /// error that has what is known there.
    func answerUnknown(_ url: String, miss: RouteMiss?, opening: LinkOpening) async throws -> Answer {
        let error = unknown(url, miss)
        guard case .unknown(_, _, let known, let suggestion) = error else { throw error }
        let text = url.prefix { $0 != "?" && $0 != "#" }
        let place = targets.first { url.hasPrefix(Self.folder(of: $0.address)) }
        var parameters = InputParameters()
        if let mark = url.firstIndex(of: "?") {
            parameters.addQuery(Array(url[mark...].dropFirst().prefix { $0 != "#" }.utf8)[...])
        }
        var texts: [String: [String]] = [:]
        for (name, node) in parameters.nodes {
            if case .texts(let values) = node { texts[name] = values }
        }
        let name = place.map { String(text.dropFirst(Self.folder(of: $0.address).count)) } ?? String(text)
        let call = UnknownCall(name: name, parameters: texts, known: known, suggestion: suggestion)
        let scope = place.flatMap { opening.root.program.scope(of: $0.module) } ?? opening.root
        let contract = Contract(.action, name: url, input: UnknownCall.self, output: (any Sendable).self)
        let context = CallContext(scope: scope, contract: contract, caller: opening.caller, values: opening.values)
        let modules = ([place?.module].compactMap { $0 }).filter { $0 >= 0 }
        for handler in modules.compactMap({ self.modules.blueprints[$0].unknown })
            + [options.unknown].compactMap({ $0 })
        {
            if let value = try await handler(call, context) { return .value(value) }
        }
        throw error
    }

    /// The error for a URL, with the names at its place and the nearest address.
    func unknown(_ url: String, _ miss: RouteMiss?) -> LinkError {
        let text = String(url.prefix { $0 != "?" && $0 != "#" })
        let near = targets.map(\.address).filter { text.hasPrefix(Self.folder(of: $0)) }
        let known = near.map { String($0.dropFirst(Self.folder(of: $0).count)) }.sorted()
        let suggestion = Suggestion.closest(to: text, among: targets.map(\.address)) ?? miss?.suggestion
        return .unknown(url: url, miss: miss, known: known, suggestion: suggestion)
    }

    /// The part of an address that its neighbours share: scheme and host, or the first part of the path.
    static func folder(of address: String) -> String {
        if let scheme = address.firstRange(of: "://") {
            let rest = address[scheme.upperBound...]
            return String(address[..<scheme.upperBound]) + rest.prefix { $0 != "/" } + "/"
        }
        return "/" + address.dropFirst().prefix { $0 != "/" } + "/"
    }
}
