package import ShuntCore
import ShuntPatterns

extension RuleModel {
    package struct Server: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: ShuntRules.Server { model.program.tables.servers[order] }

        /// The first name as written, the leading dot of `.name` removed; empty for a nameless server.
        package var name: [UInt8] { record.name }
        package var position: SourcePosition { record.position }
        package var settings: Settings { Settings(model, record.settings) }
        /// The locations that are in it; nil without any.
        package var level: Level? { Level(model, optional: record.level) }
        /// True if it takes the requests with names that no other server has, at some address.
        package var isDefault: Bool { model.program.tables.listens.contains { $0.defaultServer.position == order } }
        /// The expressions among its names, for each address.
        package var nameExpressions: [Expression] { model.listens.flatMap { $0.expressions(of: self) } }
    }

    package struct Location: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: ShuntRules.Location { model.program.tables.locations[order] }

        package var modifier: LocationModifier { record.modifier }
        /// The literal, the pattern or the name as written, without the modifier.
        package var name: [UInt8] { record.name }
        /// The modifier and the pattern as written, for people.
        package var text: String { record.text }
        package var position: SourcePosition { record.position }
        package var settings: Settings { Settings(model, record.settings) }
        /// The expression; nil for other locations.
        package var expression: Expression? { Expression(model, optional: model.expressionsOfLocations[order]) }
        package var server: Server { Server(model, model.owners[order]) }
        /// The location around it; nil for those of a server.
        package var parent: Location? { Location(model, optional: model.parents[order]) }
        /// The location with those around it, the outermost first.
        package var chain: [Location] {
            var chain = [self]
            while let parent = chain.last?.parent { chain.append(parent) }
            return chain.reversed()
        }
        /// The locations next to it, with itself.
        package var level: Level { Level(model, model.levelNumbers[order]) }
        /// The locations that are in it; nil without any.
        package var inner: Level? { Level(model, optional: record.level) }
    }

    /// The locations next to each other.
    package struct Level: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: LocationLevel { model.program.tables.levels[order] }

        package var locations: [Location] { record.locations.map { Location(model, $0) } }
        /// Those with an expression, in the order in which they are tried.
        package var expressions: [Location] { record.patternLocations.map { Location(model, $0) } }

        /// The location with exactly a path; nil without any.
        package func exact(_ path: [UInt8]) -> Location? {
            record.exact?.value(path.span).map { Location(model, LocationIndex($0)) }
        }

        /// The location with the longest prefix of a path; nil without any.
        package func longestPrefix(of path: [UInt8]) -> Location? {
            record.prefixes.longestPrefix(of: path.span).map { Location(model, LocationIndex($0.value)) }
        }
    }

    /// An address where servers listen.
    package struct Listen: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: ListenGroup { model.program.tables.listens[order] }

        package var host: SocketName.Host { record.host }
        package var port: Int { Int(record.port) }
        package var isSecure: Bool { record.isSecure }
        /// The first `listen` with the address.
        package var position: SourcePosition { record.position }
        package var defaultServer: Server { Server(model, record.defaultServer) }
        /// The server for requests without a host; nil where that is the default server.
        package var serverWithoutName: Server? {
            record.emptyNameServer.isNone ? nil : Server(model, record.emptyNameServer)
        }
        /// True if every name stands for the default server.
        package var hasOneServer: Bool { record.hasOneServer }
        /// The server for one of the exact names or those with wildcards; nil without any.
        package func server(named host: [UInt8]) -> Server? {
            record.names.value(of: host.span).map { Server(model, ServerIndex($0)) }
        }

        /// The expressions among the names, each with its server, in the order in which they are tried.
        package var expressions: [(expression: Expression, server: Server)] {
            zip(record.patternNumbers, record.patternServers)
                .map { (Expression(model, $0), Server(model, $1)) }
        }

        /// The expressions among the names of a server.
        package func expressions(of server: Server) -> [Expression] {
            expressions.filter { $0.server == server }.map(\.expression)
        }
    }
}
