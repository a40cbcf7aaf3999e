#if compiler(>=6.3)
public import CShunt
import Shunt

extension RulesHandle {
    /// Decides about a request with the rules that `rules` returns for the calling thread, nil for a NULL pointer, and writes the
    /// decision into the buffer of the caller.
    fileprivate static func decide(
        _ request: UnsafePointer<shunt_request>?,
        into buffer: UnsafeMutableRawPointer?,
        capacity: Int,
        _ decision: UnsafeMutablePointer<shunt_decision>?,
        with rules: (ThreadScratch) -> RulesHandle?
    ) -> shunt_status {
        guard let decision, decision.pointee.size == MemoryLayout<shunt_decision>.size else {
            return SHUNT_INVALID_ARGUMENT
        }
        guard capacity >= 0, let scratch = ThreadScratch.current, let rules = rules(scratch), scratch.take(request)
        else {
            // A caller that does not read the status forwards nothing.
            decision.pointee = DecisionBuffer.failure
            return SHUNT_INVALID_ARGUMENT
        }
        return scratch.lent.pointee.withDecision(of: rules.engine) { view in
            var buffer = DecisionBuffer(buffer, capacity: capacity)
            decision.pointee = buffer.write(view, at: scratch.request.time)
            guard buffer.fits else { return SHUNT_TOO_SMALL }
            if let counters = rules.counters {
                counters.count(view, shard: scratch.number, at: scratch.request.time ?? .now())
            }
            return SHUNT_OK
        }
    }
}

extension DecisionBuffer {
    /// The decision where there is none.
    fileprivate static var failure: shunt_decision {
        var decision = shunt_decision()
        decision.size = MemoryLayout<shunt_decision>.size
        (decision.kind, decision.status) = (SHUNT_FAIL, 500)
        return decision
    }

    /// Writes a decision about a request at a time; nil is the present.
    fileprivate mutating func write(_ view: borrowing DecisionView, at time: Timestamp?) -> shunt_decision {
        var decision = shunt_decision()
        decision.size = MemoryLayout<shunt_decision>.size
        decision.kind = Self.kind(view.kind)
        decision.status = Int32(view.status ?? 0)
        decision.is_by_rule = view.isDecidedByRule
        decision.is_upstream = view.isUpstream
        decision.url = view.withURL { text($0) } ?? shunt_text()
        decision.target = view.withTarget { text($0) } ?? shunt_text()
        decision.authority = view.withAuthority { text($0) } ?? shunt_text()
        decision.path = view.withURI { text($0) } ?? shunt_text()
        decision.body = view.withBody { text($0) } ?? shunt_text()
        decision.reason = text(view.reason)
        if let rule = view.rule {
            decision.file = text(rule.file)
            decision.line = UInt32(clamping: rule.line)
            decision.column = UInt32(clamping: rule.column)
        }
        if let route = view.route {
            decision.route = text(route)
            let parameters = view.copy().parameters
            (decision.parameters, decision.parameter_count) = fields { field in
                for parameter in parameters { field(parameter.name.utf8Span.span, parameter.value.utf8Span.span) }
            }
        }
        let expiry = view.expiryHeaders(at: time)
        (decision.headers, decision.header_count) = fields { field in
            for header in expiry { field(header.nameBytes.span, header.valueBytes.span) }
            view.withHeaders(field)
        }
        (decision.success_headers, decision.success_header_count) = fields { view.withSuccessHeaders($0) }
        (decision.upstream_headers, decision.upstream_header_count) = fields { view.withUpstreamHeaders($0) }
        decision.needed = needed
        return decision
    }

    private static func kind(_ kind: Decision.Kind) -> shunt_kind {
        switch kind {
        case .forward: SHUNT_FORWARD
        case .redirect: SHUNT_REDIRECT
        case .degrade: SHUNT_DEGRADE
        case .respond: SHUNT_RESPOND
        case .block: SHUNT_BLOCK
        case .fail: SHUNT_FAIL
        }
    }
}

/// See `shunt.h`.
@c @implementation
public func shunt_decide(
    _ rules: OpaquePointer!,
    _ request: UnsafePointer<shunt_request>!,
    _ buffer: UnsafeMutableRawPointer!,
    _ capacity: Int,
    _ decision: UnsafeMutablePointer<shunt_decision>!
) -> shunt_status {
    RulesHandle.decide(request, into: buffer, capacity: capacity, decision) { _ in RulesHandle.at(rules) }
}

/// See `shunt.h`.
@c @implementation
public func shunt_store_decide(
    _ store: OpaquePointer!,
    _ request: UnsafePointer<shunt_request>!,
    _ buffer: UnsafeMutableRawPointer!,
    _ capacity: Int,
    _ decision: UnsafeMutablePointer<shunt_decision>!
) -> shunt_status {
    RulesHandle.decide(request, into: buffer, capacity: capacity, decision) { scratch in
        StoreHandle.at(store).map { scratch.rules(of: $0) }
    }
}

/// See `shunt.h`.
@c @implementation
public func shunt_explain(
    _ rules: OpaquePointer!,
    _ request: UnsafePointer<shunt_request>!,
    _ format: shunt_format,
    _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> shunt_status {
    guard let rules = RulesHandle.at(rules), let text = text, let scratch = ThreadScratch.current,
        scratch.take(request)
    else { return SHUNT_INVALID_ARGUMENT }
    let (decision, trace) = rules.engine.explain(scratch.request)
    switch format {
    case SHUNT_TEXT: OwnedText.give("\(decision)\n\n\(trace)", to: text)
    case SHUNT_JSON: OwnedText.give(TraceJSON.object(trace, decision, request: scratch.request.urlBytes).line, to: text)
    default: return SHUNT_INVALID_ARGUMENT
    }
    return SHUNT_OK
}
#endif
