import Shunt

extension LintSubject {
    /// Tests of a header with the client's address, which let in every client that sends it.
    func trustedClientHeader() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return model.steps.compactMap { step in
            guard step.position.isPlace, !known.contains(step.position), let condition = step.condition,
                let header = addressHeader(of: condition.variable)
            else { return nil }
            for outcome in [false, true] {
                guard case .confirmed(var request) = verdict(.test(step, outcome)) else { continue }
                // Where the address is checked as well, the header alone lets no one in.
                request.request.remoteAddress = Self.foreignAddress
                let others = request.request.headers.filter { $0.name.lowercased() != header.lowercased() }
                guard others.count < request.request.headers.count else { continue }
                let witness = decide(request)
                guard !Self.refuses(witness.decision),
                    Self.refuses(decide(like: request) { $0.headers = others }.decision)
                else { continue }
                known.insert(step.position)
                return LintFound(
                    step.position,
                    "every client can send this \(header)",
                    advice: "test $remote_addr, with set_real_ip_from for your proxies"
                )
                .confirmed(by: witness)
            }
            return nil
        }
    }

    /// The header with a client's address that a variable is, or that its table looks up.
    private func addressHeader(of variable: RuleModel.Variable?) -> String? {
        guard let variable else { return nil }
        let source =
            switch variable.source {
            case .map(let map): map.source.onlyVariable
            case .geo(let table): table.source?.onlyVariable
            default: variable
            }
        return source.flatMap { Self.addressHeaders[$0.name] }
    }

    private static let addressHeaders = [
        "http_x_forwarded_for": "X-Forwarded-For", "http_x_real_ip": "X-Real-IP", "http_client_ip": "Client-IP",
        "http_x_client_ip": "X-Client-IP", "http_true_client_ip": "True-Client-IP",
        "http_cf_connecting_ip": "CF-Connecting-IP", "http_x_cluster_client_ip": "X-Cluster-Client-IP",
        "http_forwarded": "Forwarded",
    ]

    /// Each `allow all` next to a login where `satisfy any` lets in the clients that either admits.
    func loginNeverAsked() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return blocks.compactMap { goal, settings in
            guard settings.asksForLogin, let rules = settings.accessRules?.rules,
                let open = rules.prefix(while: \.allows).first(where: \.isForEveryClient),
                let node = tree.node(at: goal.position), tree.nodes[node].position == goal.position,
                tree.inherited("satisfy", in: node).first.map({ tree.nodes[$0].arguments.first?.text == "any" })
                    == true,
                known.insert(open.position).inserted
            else { return nil }
            return LintFound(
                open.position,
                "satisfy any lets in every address that this allows, without the login",
                advice: "write deny all; or satisfy all;"
            )
        }
    }
}

extension AccessRule {
    /// True if it is for every address, of IPv4 at least.
    fileprivate var isForEveryClient: Bool {
        switch scope {
        case .all: true
        case .network(let network): network.prefixLength == 0 && network.base.bitCount == 32
        case .unix: false
        }
    }
}
