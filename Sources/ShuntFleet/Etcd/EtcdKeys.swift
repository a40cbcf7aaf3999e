#if Fleet
import ShuntCore

struct EtcdKeys: Sendable {
    private let root: String

    init(namespace: String) { root = "/shunt/\(namespace)/" }

    /// The one document that changes.
    var pointer: String { root + "pointer" }
    /// The one who may move it.
    var conductor: String { root + "conductor" }
    /// All statuses of nodes that live.
    var nodes: String { root + "nodes/" }
    /// All that was done.
    var history: String { root + "history/" }

    /// The status of a node; it goes away with the node.
    func node(_ name: String) -> String { nodes + name }

    /// The key prefix of the last statuses about all releases.
    var acknowledgements: String { root + "acks/" }

    /// Returns the key prefix of the last statuses about a release.
    func acknowledgements(_ sequence: Int) -> String { "\(acknowledgements)\(Self.digits(sequence))/" }

    /// Returns the key of the history of a release.
    func history(_ sequence: Int) -> String { "\(history)\(Self.digits(sequence))/" }

    /// All manifests, or all blobs.
    func contents(_ kind: StoredContent.Kind) -> String { root + kind.rawValue + "/" }

    /// A manifest or a blob.
    func content(_ kind: StoredContent.Kind, _ name: ContentName) -> String { contents(kind) + name.hexadecimal }

    /// The time when all manifests, or all blobs, were needed last by a publisher.
    func dates(_ kind: StoredContent.Kind) -> String { "\(root)dates/\(kind.rawValue)/" }

    /// The time when a manifest or a blob was needed last by a publisher.
    func date(_ kind: StoredContent.Kind, _ name: ContentName) -> String { dates(kind) + name.hexadecimal }

    /// Ten digits, so that keys are in the order of numbers.
    private static func digits(_ number: Int) -> String { String(number).paddedWithZeros(to: 10) }
}
#endif
