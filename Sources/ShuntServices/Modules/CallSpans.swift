#if ModuleService
public import ShuntModules
public import Tracing

/// A span for each call that came through a door, and for the calls that it makes on behalf of that one.
///
/// Put it around the assembly: `assembly.intercept(CallSpans())`. Spans are named by contracts, with the caller and the
/// scopes as attributes; errors are recorded. Inputs are not.
public struct CallSpans: Interceptor {
    private let tracer: (any Tracer)?

    /// Makes it; spans go to the tracer of the process unless another is given.
    public init(tracer: (any Tracer)? = nil) { self.tracer = tracer }

    /// Hands the call on inside of a span; calls of code are handed on unchanged.
    public func intercept<I, O>(_ input: I, _ call: CallContext, next: NextCall<I, O>) async throws -> O {
        guard call.caller.kind != .code else { return try await next(input, call) }
        let name = call.isOffered ? call.name : "unknown"
        return try await (tracer ?? InstrumentationSystem.tracer)
            .withAnySpan(name, ofKind: .internal) { span in
                span.attributes["shunt.caller"] = call.caller.kind.rawValue
                span.attributes["shunt.scopes"] = call.scope.path.joined(separator: "/")
                return try await next(input, call)
            }
    }
}
#endif
