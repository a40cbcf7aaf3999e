package import ShuntCore

extension RuleModel {
    package struct Map: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: ValueMap { model.program.tables.maps[order] }

        package var position: SourcePosition { record.position }
        /// The text that is looked up.
        package var source: Template { Template(model, record.source) }
        /// The value of `default`; nil without one.
        package var defaultValue: Template? { Template(model, optional: record.defaultValue) }
        /// True if its keys are hosts.
        package var hasHosts: Bool { record.hosts != nil }

        /// An entry, `default` included.
        package struct Entry: Sendable {
            /// The key as written.
            package let key: Word
            /// The value as written.
            package let written: Word
            /// The expression of a key that is one; nil for other keys.
            package let expression: Expression?
            package let value: Template
        }

        /// The entries that count, in the order of the files, wherever they are.
        ///
        /// - Complexity: O(n).
        package var entries: [Entry] {
            let map = record
            let values = map.places.templates
            let numbers = Dictionary(zip(map.patternPositions, map.patternNumbers)) { first, _ in first }
            return model.document.entries(ofTableAt: map.position)
                .compactMap { entry in
                    let key = entry.directive.name
                    return values[key.position]
                        .map {
                            Entry(
                                key: key,
                                written: entry.arguments[0],
                                expression: numbers[key.position].map { Expression(model, $0) },
                                value: Template(model, $0)
                            )
                        }
                }
        }

        /// The expressions among the keys, each with its place and value, in the order in which they are tried.
        package var expressions: [(expression: Expression, position: SourcePosition, value: Template)] {
            let map = record
            return map.patternNumbers.indices.map {
                (
                    Expression(model, map.patternNumbers[$0]), map.patternPositions[$0],
                    Template(model, map.patternValues[$0])
                )
            }
        }
    }

    package struct AddressTable: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: AddressMap { model.program.tables.geos[order] }

        package var position: SourcePosition { record.position }
        /// The text that is the address; nil for the client's.
        package var source: Template? { Template(model, optional: record.source) }

        /// The value for an address; nil where no entry takes it.
        package func value(for address: InternetAddress?) -> [UInt8]? {
            let tables = AddressTables(record)
            return tables.entry(for: address)
                .map { Array(model.program.tables.constants[tables.value(of: $0).indices]) }
        }

        /// The place of the entry that takes an address; nil where none does.
        package func place(for address: InternetAddress) -> SourcePosition? {
            let tables = AddressTables(record)
            return tables.entry(for: address).map(tables.position)
        }

        /// The entries as written: a network, a range or `default`, and a value.
        package var entries: some Collection<RuleDocument.Node> & Sendable {
            model.document.entries(ofTableAt: position)
        }
    }

    package struct Split: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: SplitClients { model.program.tables.splits[order] }

        package var position: SourcePosition { record.position }
        /// The text whose hash chooses a share.
        package var source: Template { Template(model, record.source) }
        /// The values of the shares, in order.
        package var values: [[UInt8]] {
            record.shares.map { Array(model.program.tables.constants[$0.value.indices]) }
        }
        /// True if the last share takes every hash that is left.
        package var isComplete: Bool { record.isComplete }

        /// The number of the share that a hash is in; nil where shares are left out.
        package func share(of hash: UInt32) -> Int? { record.share(of: hash) }

        /// The entries as written: a percentage and a value.
        package var entries: some Collection<RuleDocument.Node> & Sendable {
            model.document.entries(ofTableAt: position)
        }
    }
}

extension HostNamePattern {
    /// A host that it stands for.
    package var someHost: [UInt8] {
        let label = Array("a".utf8)
        let dot = [UInt8(ascii: ".")]
        return switch kind {
        case .exact, .domain: literal
        case .subdomains: label + dot + literal
        case .prefix: literal + dot + label
        }
    }
}
