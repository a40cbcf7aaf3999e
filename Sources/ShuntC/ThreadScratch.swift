#if compiler(>=6.3)
import CShunt
import Shunt
import Synchronization

/// The memory that deciding takes on one thread: the request, which is filled in again for each call, and the rules of the store
/// that was asked last.
///
/// Sound: only its own thread has it, and the end of that thread frees it.
final class ThreadScratch {
    private static let count = Atomic<Int>(0)

    let number = ThreadScratch.count.wrappingAdd(1, ordering: .relaxed).newValue
    let lent = UnsafeMutablePointer<LentRequest>.allocate(capacity: 1)
    private var inputNames: [String] = []
    private var reader: (store: StoreHandle, reader: RuleReader)?
    private var used: (snapshot: RuleSnapshot, rules: RulesHandle)?

    private init() { lent.initialize(to: LentRequest()) }

    deinit {
        lent.deinitialize(count: 1)
        lent.deallocate()
    }

    var request: RuleRequest {
        get { lent.pointee.request }
        _modify { yield &lent.pointee.request }
    }

    /// That of the calling thread; nil where the system cannot keep it.
    static var current: ThreadScratch? {
        if let place = thread_value() {
            return Unmanaged<ThreadScratch>.fromOpaque(place).takeUnretainedValue()
        }
        let scratch = Unmanaged.passRetained(ThreadScratch())
        let isKept = keep_thread_value(scratch.toOpaque()) { place in
            guard let place = place else { return }
            Unmanaged<ThreadScratch>.fromOpaque(place).release()
        }
        guard isKept else {
            scratch.release()
            return nil
        }
        return scratch.takeUnretainedValue()
    }

    /// The rules in use of a store, without a lock unless they are others than the last ones.
    func rules(of store: StoreHandle) -> RulesHandle {
        if reader?.store !== store { reader = (store, store.store.makeReader()) }
        let snapshot = reader?.reader.snapshot ?? store.store.snapshot
        if let used, used.snapshot === snapshot { return used.rules }
        let rules = store.rules(for: snapshot)
        used = (snapshot, rules)
        return rules
    }

    /// Lets go of a store that is closed.
    func forget(_ store: StoreHandle) {
        guard reader?.store === store else { return }
        (reader, used) = (nil, nil)
    }

    /// Takes a request over; false if it is invalid.
    func take(_ input: UnsafePointer<shunt_request>?) -> Bool {
        guard let input = input?.pointee, input.size == MemoryLayout<shunt_request>.size,
            input.security <= 2, input.nanoseconds < 1_000_000_000,
            request.bytes.replace(with: input.url)
        else { return false }
        if input.host.bytes == nil {
            guard input.host.length == 0 else { return false }
            request.host = nil
            request.isForURL = true
        } else {
            if request.host == nil { request.host = [] }
            guard request.host?.replace(with: input.host) == true else { return false }
            request.isForURL = false
        }
        guard takeMethod(input.method),
            request.remoteAddress.replace(with: input.client_address, unlessEmpty: RuleRequest.usualAddress),
            takeHeaders(input.headers, input.header_count), takeInputs(input.inputs, input.input_count),
            takePlace(input)
        else { return false }
        request.remotePort = Int(input.client_port)
        let version = Self.version(input.http_version)
        if request.version != version { request.version = version }
        let isNow = input.seconds == 0 && input.nanoseconds == 0
        request.time =
            isNow ? nil : Timestamp(seconds: input.seconds, nanoseconds: Int32(input.nanoseconds))
        return true
    }

    private static func version(_ number: UInt8) -> String {
        switch number {
        case 0: "1.0"
        case 2: "2.0"
        case 3: "3.0"
        default: "1.1"
        }
    }

    private func takeMethod(_ method: shunt_text) -> Bool {
        guard method.length != 0 else {
            if request.methodBytes != RuleRequest.usualMethod { request.methodBytes = RuleRequest.usualMethod }
            return true
        }
        return request.methodBytes.replace(with: method)
    }

    private func takePlace(_ input: shunt_request) -> Bool {
        guard input.server_port != 0 || input.security != 0 else {
            if request.listen != nil { request.listen = nil }
            return input.server_address.length == 0
        }
        var listen = request.listen ?? RuleRequest.Endpoint(port: 0)
        guard listen.address.replace(with: input.server_address, unlessEmpty: "*") else { return false }
        listen.port = input.server_port == 0 ? (input.security == 2 ? 443 : 80) : Int(input.server_port)
        listen.isSecure = input.security == 0 ? nil : input.security == 2
        request.listen = listen
        return true
    }

    private func takeHeaders(_ fields: UnsafePointer<shunt_field>?, _ count: Int) -> Bool {
        guard count > 0 else {
            if !request.headers.isEmpty { request.headers.removeAll(keepingCapacity: true) }
            return count == 0
        }
        guard let fields = fields else { return false }
        if request.headers.count > count { request.headers.removeLast(request.headers.count - count) }
        for index in 0..<count {
            if index == request.headers.count { request.headers.append(RuleRequest.Header(name: [], value: [])) }
            guard request.headers[index].nameBytes.replace(with: fields[index].name),
                request.headers[index].valueBytes.replace(with: fields[index].value)
            else { return false }
        }
        return true
    }

    private func takeInputs(_ fields: UnsafePointer<shunt_field>?, _ count: Int) -> Bool {
        guard count > 0 else {
            if !request.inputs.isEmpty { request.inputs = RequestInputs() }
            if !inputNames.isEmpty { inputNames.removeAll(keepingCapacity: true) }
            return count == 0
        }
        guard let fields = fields else { return false }
        // Mostly the names are those of the call before.
        let areKnown =
            inputNames.count == count && request.inputs.count == count
            && (0..<count)
                .allSatisfy { index in
                    guard let name = fields[index].name.buffer else { return false }
                    return inputNames[index].utf8.elementsEqual(name)
                }
        if !areKnown {
            request.inputs = RequestInputs()
            inputNames.removeAll(keepingCapacity: true)
            for index in 0..<count {
                guard let name = fields[index].name.string else { return false }
                inputNames.append(name)
            }
        }
        for (index, name) in inputNames.enumerated() {
            guard request.inputs.change(name, { $0.replace(with: fields[index].value) }) else { return false }
        }
        return true
    }
}

/// A request that the engine reads where it is: one that can be copied is copied when it is passed on.
struct LentRequest: ~Copyable {
    var request = RuleRequest(url: [])

    func withDecision<Result>(of engine: Engine, _ body: (borrowing DecisionView) -> Result) -> Result {
        engine.withDecision(for: request, body)
    }
}
#endif
