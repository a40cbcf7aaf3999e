import ShuntCore
import ShuntFleet

/// Input of a carrier for a node, as each kind of document and as the pointer of a node.
///
/// What is read is written in a form that reads as the same, and without a signature nothing of it comes into use.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReleases(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    again(bytes, { bytes throws(DocumentError) in try Manifest(decoding: bytes) }, \.encoded)
    again(bytes, { bytes throws(DocumentError) in try Release(decoding: bytes) }, \.encoded)
    again(bytes, { bytes throws(DocumentError) in try ReleasePointer(decoding: bytes) }, \.encoded)
    again(bytes, { bytes throws(DocumentError) in try NodeStatus(decoding: bytes) }, \.encoded)
    again(bytes, { bytes throws(DocumentError) in try Envelope(decoding: bytes) }, \.encoded)
    again(bytes, { bytes throws(DocumentError) in try KeyFile(decoding: bytes) }, \.encoded)
    again(bytes, { bytes throws(DocumentError) in try KeyFile.Key(decoding: bytes) }, \.encoded)
    again(bytes, { bytes throws(DocumentError) in try PoisonList(decoding: bytes) }, \.encoded)
    again(bytes, { bytes throws(DocumentError) in try HistoryEntry(decoding: bytes) }, \.encoded)
    again(bytes, { bytes throws(DocumentError) in try NodeMemory(decoding: bytes) }, \.encoded)
    if let manifest = try? Manifest(decoding: bytes) {
        _ = try? manifest.assemble { name throws(DocumentError) in throw DocumentError("blob", "\(name) is missing") }
    }
    follow(bytes)
    if let pointer = try? ReleasePointer(decoding: bytes) { conduct(pointer) }
    return 0
}

/// No bytes are a signature.
struct NoVerifier: SignatureVerifier {
    func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool { false }
}

/// All bytes are a signature: a conductor gets whatever was signed.
struct EveryVerifier: SignatureVerifier {
    func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool { true }
}

private func again<Document: Equatable>(
    _ bytes: [UInt8],
    _ read: ([UInt8]) throws(DocumentError) -> Document,
    _ encoded: (Document) -> [UInt8]
) {
    do throws(DocumentError) {
        let document = try read(bytes)
        let written = encoded(document)
        // What is longer than its limit in the other form is not read.
        guard let same = try? read(written) else { return precondition(written.count > bytes.count) }
        precondition(same == document)
    } catch {
        precondition(!error.description.isEmpty)
    }
}

private let keys = KeyFile(
    namespace: "web",
    keys: [KeyFile.Key(owner: "alice", publicKey: [1, 2, 3], roles: [.publish, .rollback])],
    thresholds: [.publish: 1, .rollback: 1]
)

private let date = Timestamp(seconds: 1_800_000_000)

/// A node that is given the bytes for a pointer, and for its memory.
private func follow(_ bytes: [UInt8]) {
    let configuration = NodeConfiguration(name: "edge-1", keys: keys, version: "0.3.0")
    var node = FleetNode(configuration, memory: NodeMemory(), verifier: NoVerifier(), now: .zero, date: date)
    for (event, seconds) in [
        (.started, 0), (.pointer(bytes), 1), (.pointer(bytes), 2), (.time, 1000), (.stopping, 1001),
    ] as [(NodeEvent, Int)] {
        for effect in node.handle(event, at: .seconds(seconds), date: date) {
            switch effect {
            case .fetch, .load: preconditionFailure("it takes what nobody has signed")
            case .write(let memory, let number):
                precondition((try? NodeMemory(decoding: memory.encoded)) == memory)
                _ = node.handle(.wrote(number, isDurable: true), at: .seconds(seconds), date: date)
            case .report, .note: break
            }
        }
    }
    precondition(node.serving == nil)
    guard let memory = try? NodeMemory(decoding: bytes) else { return }
    // The disk of a node is its own; whatever lies there does not end it.
    var restarted = FleetNode(configuration, memory: memory, verifier: NoVerifier(), now: .zero, date: date)
    _ = restarted.handle(.started, at: .zero, date: date)
    _ = restarted.handle(.time, at: .seconds(100_000), date: date)
}

/// A conductor that finds the pointer, signed by the known key, and nodes that have all of it.
private func conduct(_ document: ReleasePointer) {
    let signatures = keys.keys.map { Envelope.Signature(key: $0.identifier, bytes: [1]) }
    var document = document
    document.release.signatures = signatures
    document.stable.signatures = signatures
    guard let pointer = try? TrustedPointer(document, keys: keys, EveryVerifier()) else { return }
    let release = pointer.release
    let nodes = (0..<20)
        .map { number in
            NodeStatus(
                node: "edge-\(number)",
                sequence: release.sequence,
                set: release.set,
                state: .applied,
                serving: release.sequence,
                at: date
            )
        }
    for reports in [true, false] {
        var conductor = FleetConductor(name: "one")
        var view = FleetConductor.View(pointer: pointer, revision: 1, nodes: reports ? nodes : [], reports: reports)
        for look in 0..<8 {
            let step = conductor.step(view, at: .seconds(look * 100_000), date: date)
            if case .write(let next, _) = step { view.pointer = next }
        }
    }
}

#if UNGUIDED
import UnguidedRuns

@main
enum Program {
    static func main() { runUnguided(fuzzReleases) }
}
#endif
