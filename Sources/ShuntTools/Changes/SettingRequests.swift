import Shunt
import ShuntPatterns

/// Requests that may show the change of a directive which decides through others only: a location, a route, a setting.
///
/// Both engines decide whether one shows it.
struct SettingRequests {
    /// The most other locations of a level, the most networks, and the most requests that a setting is tried with.
    private static let mostLocations = 32
    private static let mostNetworks = 8
    static let mostBases = 64

    private let model: RuleModel
    private let solver: RuleSolver
    private let settings: SettingsDrafts
    private var document: RuleDocument { model.document }

    init(_ ruleSet: RuleSet, limits: AnalysisLimits, asOf time: Timestamp) {
        solver = RuleSolver(ruleSet, limits: limits, asOf: time)
        model = solver.model
        settings = SettingsDrafts(solver.goals)
    }

    /// Requests for the servers and locations of the set.
    var anywhere: [RequestDescription] { made(settings.anywhere.map(\.draft).prefix(Self.mostBases)) }

    /// The requests for the directive at a place; some are requests of other rules, the `bases`, with the setting's
    /// part changed.
    func requests(
        at position: SourcePosition,
        bases: [RequestDescription],
        proxies: Proxies
    ) -> [RequestDescription] {
        guard let node = document.directive(at: position) else { return [] }
        let here = requests(around: node)
        switch node.name {
        case "route": return routes(of: node)
        case "routing": return (model.routes?.routes ?? []).prefix(Self.mostLocations).flatMap(requests)
        case "merge_slashes": return (here + bases).flatMap(Self.withDoubledSlashes)
        case "set_real_ip_from": return bases.flatMap(proxies.named(node.arguments.first).requests)
        case "real_ip_header", "real_ip_recursive": return bases.flatMap(proxies.requests)
        // A `geo` has its own proxies.
        case "proxy", "proxy_recursive": return bases.flatMap(proxies.named(node.arguments.first).requests)
        case "match_spelling": return bases.compactMap(Self.spelledOtherwise)
        case "underscores_in_headers", "ignore_invalid_headers": return bases.compactMap(Self.withUnderscores)
        case "valid_referers":
            let names = node.arguments.map(\.text).filter { $0.contains(".") && !$0.hasPrefix("~") }
            let hosts = names.map { $0.replacing("*", with: "a") }.map { $0.hasPrefix(".") ? "a\($0)" : $0 }
            let referers = ["", "a"] + (hosts + ["other.example"]).map { "https://\($0)/" }
            return (here + bases).flatMap { request in referers.map { Self.with("Referer", $0, in: request) } }
        case "listen":
            let endpoints = model.listens.map { RuleRequest.Endpoint(port: $0.port) }.prefix(Self.mostNetworks)
            return (here + bases)
                .flatMap { request in endpoints.map { endpoint in request.changed { $0.listen = endpoint } } }
        case "redirects": return rows(ofListAt: position)
        case "location": return here
        case "root", "alias", "index":
            return (here.isEmpty ? Array(bases.prefix(Self.mostNetworks)) : here).flatMap(withFiles)
        default: return here + here.flatMap(RequestVariations.all)
        }
    }

    // MARK: Locations and servers

    /// Requests for the location or the server that a directive opens, or is in.
    private func requests(around node: RuleDocument.Node) -> [RequestDescription] {
        if let location = model.location(at: node.position) { return requests(for: location) }
        guard let index = document.node(at: node.position) else { return [] }
        for block in [index] + document.ancestors(of: index) {
            let place = document.nodes[block].position
            if let location = model.location(at: place) {
                return model.repetitions(of: location).prefix(2).flatMap { made(solver.goals.drafts(location: $0)) }
            }
            if let server = model.servers.first(where: { $0.position == place }) {
                return made(solver.goals.drafts(server: server))
            }
        }
        return []
    }

    /// Requests for a location, in the other case too, and requests that another location could take as well.
    func requests(for location: RuleModel.Location) -> [RequestDescription] {
        model.repetitions(of: location).prefix(2)
            .flatMap { location in
                let drafts = solver.goals.drafts(location: location).prefix(1)
                let own = made(drafts)
                let others = location.level.locations.filter { $0 != location }.prefix(Self.mostLocations)
                let both = others.compactMap(solver.goals.pathTest)
                    .flatMap { test in made(drafts.map { $0.adding(.path, test) }) }
                return own + own.flatMap(RequestVariations.inOtherCase) + both
            }
    }

    private func made(_ drafts: some Sequence<RequestDraft>) -> [RequestDescription] {
        drafts.compactMap { draft in
            guard case .success(let request) = solver.assembly.request(for: draft) else { return nil }
            return RequestDescription(request, files: draft.files)
        }
    }

    /// Requests for some rows of a list, and requests next to them.
    private func rows(ofListAt position: SourcePosition) -> [RequestDescription] {
        let lists = model.redirectLists.filter { $0.position == position }
        let places = lists.flatMap { $0.positions.prefix(Self.mostNetworks) }
        let requests = ListRequests(model) { places.contains($0) }
        let own = places.flatMap(requests.requests(at:))
        return own
            + own.prefix(Self.mostLocations)
            .flatMap { RequestVariations.near($0, hosts: []) + RequestVariations.inOtherCase($0) }
    }

    /// The request with each of the files that are looked up for it.
    private func withFiles(_ description: RequestDescription) -> [RequestDescription] {
        var found: [RequestDescription] = []
        _ = solver.withFiles(description.request, areDirectories: false) {
            found.append($0)
            return false
        }
        return found
    }

    // MARK: Routes

    private func routes(of node: RuleDocument.Node) -> [RequestDescription] {
        // A route names the place of its pattern.
        let number = document.node(at: node.position)
        return (model.routes?.routes ?? [])
            .filter { model.position(of: $0.origin).flatMap(document.node) == number }.flatMap(requests)
    }

    private func requests(for route: Route) -> [RequestDescription] {
        guard let options = model.routes?.options else { return [] }
        let own = RouteRequests(options, checker: solver.checker).requests(for: route)
        let first = own.prefix(1)
        return own + first.flatMap(RequestVariations.inOtherCase)
            + first.flatMap { RequestVariations.near($0, hosts: []) }
    }

    // MARK: Tests

    /// Requests with which the test of an `if` at a place comes out otherwise than that of the other set at its place.
    func requests(at place: SourcePosition, unlike other: (set: SettingRequests, place: SourcePosition))
        -> [RequestDescription]
    {
        let others = other.set.tests(at: other.place)
        return tests(at: place)
            .flatMap { step, own in
                let reducer = ValueReducer(model, checker: solver.checker, place: step)
                return others.filter { $0.condition.variable?.name == own.variable?.name }
                    .flatMap { other in [true, false].map { (other.condition, $0) } }
                    .flatMap { condition, outcome -> [RequestDescription] in
                        guard let variable = own.variable, let test = foreign(condition, !outcome) else { return [] }
                        // A rule of the block may decide about few requests only.
                        let drafts =
                            solver.goals.drafts(for: .test(step, outcome)).prefix(4)
                            + (outcome ? steps(inBlockAt: place) : [])
                            .flatMap { solver.goals.drafts(at: $0, applies: true).prefix(2) }
                        return made(drafts.flatMap { reducer.drafts($0, variable: variable, test: test) })
                    }
            }
    }

    /// The test of a condition of another set, whose expressions are not those of this one.
    private func foreign(_ condition: RuleModel.Condition, _ outcome: Bool) -> ValueTest? {
        guard let test = ValueReducer.test(condition, outcome) else { return nil }
        guard case .matches(let expression) = test.kind else { return test }
        return solver.checker.automaton(of: expression.expression).map { ValueTest(.isIn($0), negated: test.isNegated) }
    }

    private func steps(inBlockAt place: SourcePosition) -> [RuleModel.Step] {
        guard let block = document.node(at: place) else { return [] }
        return model.steps
            .filter { step in
                document.node(at: step.position).map { document.ancestors(of: $0).contains(block) } ?? false
            }
            .prefix(Self.mostLocations).map { $0 }
    }

    private func tests(at place: SourcePosition) -> [(step: RuleModel.Step, condition: RuleModel.Condition)] {
        model.steps.filter { $0.position == place }.compactMap { step in step.condition.map { (step, $0) } }
    }

    // MARK: Variations

    /// The request with its first slash twice, and with each of them twice.
    private static func withDoubledSlashes(_ description: RequestDescription) -> [RequestDescription] {
        guard !description.request.isForURL else { return [] }
        let slash = UInt8(ascii: "/")
        let bytes = description.request.bytes
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        let doubled = path.flatMap { $0 == slash ? [slash, slash] : [$0] }
        let last = path.lastIndex(of: slash).map { bytes[..<$0] + [slash] + bytes[$0...] } ?? bytes[...]
        return [[slash] + bytes, Array(last), doubled + bytes.dropFirst(path.count)]
            .map { text in description.changed { $0.bytes = text } }
    }

    /// The request with the last letter of its path encoded; nil where the path has no letter.
    private static func spelledOtherwise(_ description: RequestDescription) -> RequestDescription? {
        let bytes = description.request.bytes
        let front = bytes.prefix { $0 != UInt8(ascii: "?") }
        guard let last = front.lastIndex(where: \.isASCIILetter),
            let slash = front.lastIndex(of: UInt8(ascii: "/")), last > slash
        else { return nil }
        let other: [UInt8] = bytes[..<last] + bytes[last].percentEncoded + bytes[(last + 1)...]
        return description.changed { $0.bytes = other }
    }

    /// The request with `_` for each `-` in the names of its headers; nil where none has one.
    private static func withUnderscores(_ description: RequestDescription) -> RequestDescription? {
        let other = description.changed { request in
            for index in request.headers.indices {
                request.headers[index].nameBytes.replace([UInt8(ascii: "-")], with: [UInt8(ascii: "_")])
            }
        }
        return other.request.headers == description.request.headers ? nil : other
    }

    /// The request with a header; without it for an empty value.
    private static func with(_ name: String, _ value: String, in description: RequestDescription) -> RequestDescription
    {
        description.changed { request in
            request.headers.removeAll { $0.name.lowercased() == name.lowercased() }
            if !value.isEmpty { request.headers.append(RuleRequest.Header(name, value)) }
        }
    }

    /// The proxies whose word for the client's address counts, in one set or another.
    struct Proxies {
        private var networks: [AddressSamples.Range] = []
        private var headers: [String] = []

        init(_ documents: [RuleDocument]) {
            for document in documents {
                for node in document.named["set_real_ip_from"] ?? [] {
                    let network = document.nodes[node].arguments.first.flatMap { AddressSamples.Range($0.bytes) }
                    if let network, !networks.contains(network) { networks.append(network) }
                }
                let names = (document.named["real_ip_header"] ?? []).compactMap { document.nodes[$0].arguments.first }
                let usual = document.named["geo"] == nil ? ["X-Real-IP"] : ["X-Real-IP", "X-Forwarded-For"]
                for name in usual + names.map(\.text) where !headers.contains(name) { headers.append(name) }
            }
            networks = Array(networks.prefix(SettingRequests.mostNetworks))
        }

        /// The proxies of one directive only.
        func named(_ word: Word?) -> Proxies {
            var own = self
            own.networks = word.flatMap { AddressSamples.Range($0.bytes) }.map { [$0] } ?? []
            return own
        }

        /// The request, sent by each of the proxies for its client, for another client, and through two of them.
        func requests(_ description: RequestDescription) -> [RequestDescription] {
            networks.flatMap { network in
                let proxy = "\(network.first)"
                let client = description.request.remoteAddress
                return headers.flatMap { name in
                    [client, "203.0.113.9", "\(client), \(proxy)"]
                        .map { value in
                            var other = SettingRequests.with(name, value, in: description)
                            other.request.remoteAddress = proxy
                            return other
                        }
                }
            }
        }
    }
}
