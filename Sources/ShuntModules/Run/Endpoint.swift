package import ShuntCore
package import ShuntInterfaces

/// The endpoint of a contract in a module, with the interceptors around it.
package protocol AnyEndpoint: AnyObject, Sendable {
    var contract: Contract { get }
    /// The place where `handle`, `stream` or `on` was called.
    var place: SourceLocation { get }
    /// The callers that its address is open to: those of the contract, and fewer where it hands calls on.
    var exposure: Exposure { get }
    /// The same with interceptors around it, the outermost first.
    func surrounded(by interceptors: [HostedInterceptor], _ actionInterceptors: [any AnyActionInterceptor])
        -> any AnyEndpoint
    /// Answers a feed whose input a door decoded.
    func openFeed(_ input: any Sendable, _ call: CallContext) throws -> FeedStream<any Sendable>
    /// Answers what a door decoded.
    func open(_ input: any Sendable, _ call: CallContext) async throws -> any Sendable
}

/// An interceptor, and how far above the scope that answers the scope is that has it.
@usableFromInline
package struct HostedInterceptor: Sendable {
    @usableFromInline let interceptor: any Interceptor
    let levelsUp: Int
}

/// The way of a call, `call` and `run`, is in the program that makes it, where the types are known: there a call costs a
/// fraction of what it costs with types that are looked up.
@usableFromInline
package final class Endpoint<Input: Sendable, Output: Sendable>: AnyEndpoint {
    @usableFromInline package let contract: Contract
    package let place: SourceLocation
    package let exposure: Exposure
    @usableFromInline let body: @Sendable (Input, CallContext) async throws -> Output
    /// The interceptors of all calls around this one, the outermost first.
    @usableFromInline let interceptors: [HostedInterceptor]
    /// The interceptors of this action, which are inside of the others.
    private let actionInterceptors: [ActionInterceptor<Input, Output>]
    /// The number of all interceptors.
    @usableFromInline let chainLength: Int

    init(
        _ contract: Contract,
        at place: SourceLocation,
        for exposure: Exposure? = nil,
        inside interceptors: [HostedInterceptor] = [],
        and actionInterceptors: [ActionInterceptor<Input, Output>] = [],
        _ body: @escaping @Sendable (Input, CallContext) async throws -> Output
    ) {
        self.contract = contract
        self.place = place
        self.exposure = exposure ?? contract.exposure
        self.body = body
        self.interceptors = interceptors
        self.actionInterceptors = actionInterceptors
        chainLength = interceptors.count + actionInterceptors.count
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
        let typed = actionInterceptors.compactMap { $0 as? ActionInterceptor<Input, Output> }
        return Endpoint(contract, at: place, for: exposure, inside: interceptors, and: typed, body)
    }

    /// Runs the chain from one of its interceptors on.
    @inlinable
    func run(_ input: Input, _ call: CallContext, from index: Int = 0) async throws -> Output {
        if index == chainLength { return try await body(input, call) }
        let next = NextCall(endpoint: self, index: index + 1)
        guard index < interceptors.count else { return try await runActionInterceptor(input, call: call, next: next) }
        return try await interceptors[index].interceptor.intercept(input, call, next: next)
    }

    @usableFromInline
    func runActionInterceptor(_ input: Input, call: CallContext, next: NextCall<Input, Output>) async throws -> Output {
        try await actionInterceptors[next.index - 1 - interceptors.count].body(input, call, next)
    }

    /// Returns the number of levels between the answering scope and the scope of an interceptor.
    func levelsUp(_ index: Int) -> Int { index < interceptors.count ? interceptors[index].levelsUp : 0 }

    /// Makes a call: in the caller's task where a module of the program answers, since that outlives the call, and in a
    /// task of the answering scope elsewhere.
    @inlinable
    func call(_ input: Input, _ call: CallContext) async throws -> Output {
        guard try call.scope.beginCall() else { return try await run(input, call) }
        return try await callInTask(input, call)
    }

    /// Makes a call in a task of the scope that answers.
    @usableFromInline
    func callInTask(_ input: Input, _ call: CallContext) async throws -> Output {
        try await call.scope.perform(call.name) { [self] in try await run(input, call) }
    }

    package func open(_ input: any Sendable, _ call: CallContext) async throws -> any Sendable {
        guard let input = input as? Input else {
            throw CallError.differentTypes(name: contract.name, asked: "\(type(of: input))", offered: "\(Input.self)")
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
    let body: @Sendable (Input, CallContext, NextCall<Input, Output>) async throws -> Output
}
