package import ShuntCore
package import ShuntInterfaces

/// What answers a contract in a module, with the interceptors around it.
package protocol AnyEndpoint: AnyObject, Sendable {
    var contract: Contract { get }
    /// Where `handle`, `stream` or `on` was called.
    var place: SourceLocation { get }
    /// The same with interceptors around it, the outermost first.
    func surrounded(by interceptors: [HostedInterceptor], _ actionInterceptors: [any AnyActionInterceptor])
        -> any AnyEndpoint
    /// Answers a feed whose input a door decoded.
    func openFeed(_ input: any Sendable, _ call: CallContext) throws -> FeedStream<any Sendable>
    /// Answers what a door decoded.
    func open(_ input: any Sendable, _ call: CallContext) async throws -> any Sendable
}

/// An interceptor, and how far above the scope that answers the scope is that has it.
package struct HostedInterceptor: Sendable {
    let interceptor: any Interceptor
    let levelsUp: Int
}

package final class Endpoint<Input: Sendable, Output: Sendable>: AnyEndpoint {
    /// One interceptor of the chain.
    struct Link: Sendable {
        enum Body: Sendable {
            case general(any Interceptor)
            case typed(@Sendable (Input, CallContext, Next<Input, Output>) async throws -> Output)
        }
        let body: Body
        let levelsUp: Int
    }

    package let contract: Contract
    package let place: SourceLocation
    let body: @Sendable (Input, CallContext) async throws -> Output
    let chain: [Link]

    init(
        _ contract: Contract,
        at place: SourceLocation,
        chain: [Link] = [],
        _ body: @escaping @Sendable (Input, CallContext) async throws -> Output
    ) {
        self.contract = contract
        self.place = place
        self.body = body
        self.chain = chain
    }

    package func surrounded(
        by interceptors: [HostedInterceptor],
        _ actionInterceptors: [any AnyActionInterceptor]
    ) -> any AnyEndpoint {
        around(interceptors, actionInterceptors)
    }

    func around(
        _ interceptors: [HostedInterceptor],
        _ actionInterceptors: [any AnyActionInterceptor] = []
    ) -> Endpoint {
        var links = interceptors.map { Link(body: .general($0.interceptor), levelsUp: $0.levelsUp) }
        for interceptor in actionInterceptors {
            guard let typed = interceptor as? ActionInterceptor<Input, Output> else { continue }
            links.append(Link(body: .typed(typed.body), levelsUp: 0))
        }
        return Endpoint(contract, at: place, chain: links, body)
    }

    /// Runs the chain from one of its interceptors on.
    func run(_ input: Input, _ call: CallContext, from index: Int = 0) async throws -> Output {
        guard index < chain.count else { return try await body(input, call) }
        switch chain[index].body {
        case .general(let interceptor):
            return try await interceptor.intercept(input, call, next: Next(endpoint: self, index: index + 1))
        case .typed(let body):
            return try await body(input, call, Next(endpoint: self, index: index + 1))
        }
    }

    /// Makes a call: in the caller's task where a module of the program answers, since that outlives the call, and in a
    /// task of the answering scope elsewhere.
    func call(_ input: Input, _ call: CallContext) async throws -> Output {
        let scope = call.scope
        guard scope.isActive else { throw CallError.notActive(scope: scope.name, state: scope.state) }
        if Task.isCancelled { throw CancellationError() }
        guard scope.endsCalls else { return try await run(input, call, from: 0) }
        return try await scope.perform(call.name) { [self] in try await run(input, call, from: 0) }
    }

    package func open(_ input: any Sendable, _ call: CallContext) async throws -> any Sendable {
        guard let input = input as? Input else {
            throw CallError.differentTypes(
                name: contract.name,
                asked: "\(type(of: input))",
                offered: "\(Input.self)"
            )
        }
        return try await self.call(input, call)
    }
}

/// An input of a feed, whatever its types.
protocol AnyFeedRequest: Sendable {
    /// Makes the input for a door; nil where the input has another type.
    static func request(
        _ input: any Sendable,
        _ write: @escaping @Sendable (any Sendable) async throws -> Void
    ) -> (any AnyFeedRequest)?
}

extension FeedRequest: AnyFeedRequest {
    static func request(
        _ input: any Sendable,
        _ write: @escaping @Sendable (any Sendable) async throws -> Void
    ) -> (any AnyFeedRequest)? {
        (input as? Input).map { FeedRequest(input: $0, writer: FeedWriter { try await write($0) }) }
    }
}

extension Endpoint {
    package func openFeed(_ input: any Sendable, _ call: CallContext) throws -> FeedStream<any Sendable> {
        try call.scope.listen(contract, call.scope) { [self] writer in
            guard let type = Input.self as? any AnyFeedRequest.Type,
                let request = type.request(input, { try await writer.write($0) }) as? Input
            else { throw CallError.differentTypes(name: contract.name, asked: "\(input)", offered: "\(Input.self)") }
            _ = try await run(request, call)
        }
    }
}

/// An interceptor of one action.
package protocol AnyActionInterceptor: Sendable {
    var contract: Contract { get }
}

struct ActionInterceptor<Input: Sendable, Output: Sendable>: AnyActionInterceptor {
    let contract: Contract
    let body: @Sendable (Input, CallContext, Next<Input, Output>) async throws -> Output
}
