import Shunt

extension LintSubject {
    func proxyPassNormalized() -> [LintFound] {
        model.locations.compactMap { location in
            guard let proxy = location.settings.proxy, location.settings.namesHandler, location.modifier.isPrefix,
                case .confirmed(let request) = verdict(.location(location)),
                let asked = request.asking(target: RequestAssembly.encoded(location.name) + Array("a%2Fb".utf8))
            else { return nil }
            let witness = decide(asked)
            guard witness.decision.isUpstream, witness.decision.url?.hasSuffix("a/b") == true else { return nil }
            return LintFound(
                proxy.position,
                "the upstream is given another path than the client sent",
                advice: isRewritten(proxy) ? nil : "remove the path after the host"
            )
            .rated(.warning, if: options.target == .nginx).confirmed(by: witness)
        }
    }

    /// Returns true for a `proxy_pass` without a path: the path that it sends is the one of a `rewrite` with `break`.
    private func isRewritten(_ proxy: RuleModel.Proxying) -> Bool {
        let word = tree.node(at: proxy.position).flatMap { tree.nodes[$0].arguments.first }
        return word?.text.wholeMatch(of: /https?:\/\/[^\/$]+/) != nil
    }

    func originReflection() -> [LintFound] {
        var known: Set<RuleModel.AddedHeaders> = []
        return blocks.compactMap { goal, settings in
            guard let headers = settings.headers, !known.contains(headers) else { return nil }
            let values = headers.headers.filter { Self.isReflected($0.name) }.map(\.value)
            guard !values.isEmpty, case .confirmed(let request) = verdict(goal) else { return nil }
            let any = Array("https://attacker.example".utf8)
            for (origin, isDotOnly) in [(any, false)] + values.flatMap(foreignOrigins) {
                let witness = decide(like: request) {
                    $0.headers.append(.init(name: Array("Origin".utf8), value: origin))
                }
                let answered = witness.decision.headers + witness.decision.successHeaders
                guard answered.contains(where: { $0.valueBytes == origin && Self.isReflected($0.nameBytes) }) else {
                    continue
                }
                known.insert(headers)
                let shown = ShownBytes.text(origin)
                let message = "Origin is returned in Access-Control-Allow-Origin"
                let finding =
                    if origin == any {
                        LintFound(goal.position, "any \(message)", advice: "take the origin from a map")
                    } else {
                        LintFound(
                            goal.position,
                            "a foreign \(message): \(shown)",
                            advice: isDotOnly
                                ? "write \\. for a dot in the map"
                                : "write ^https:// before the host in the map, and $ after it"
                        )
                    }
                let claim = "\(witness.request) is answered with Access-Control-Allow-Origin: \(shown)"
                return finding.confirmed(by: witness, claim)
            }
            return nil
        }
    }

    /// Returns true for the header that names whose pages may read an answer.
    private static func isReflected(_ name: [UInt8]) -> Bool {
        String(decoding: name, as: UTF8.self).lowercased() == "access-control-allow-origin"
    }

    /// Origins of others that the expressions of the map accept which a template is the value of, and whether a dot lets
    /// them in.
    fileprivate func foreignOrigins(_ template: RuleModel.Template) -> [([UInt8], Bool)] {
        (template.onlyVariable?.map?.expressions ?? [])
            .compactMap { entry in
                foreign(entry.expression, .origin).map { ($0, isDotOnly(entry.expression, .origin)) }
            }
    }
}
