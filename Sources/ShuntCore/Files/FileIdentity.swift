/// A file as the system identifies it, whatever name it has.
package struct FileIdentity: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let kind: FileAttributes.Kind
    package let owner: UInt32

    /// The file with a name, which may be a link; nil where there is none, or it cannot be read.
    package init?(_ path: String) { self.init(try? unsafe FileCalls.status(ofLink: path)) }

    package init?(descriptor: Int32) { self.init(try? FileCalls.status(of: descriptor)) }

    private init?(_ status: FileStatus?) {
        guard let status else { return nil }
        device = status.device
        inode = status.attributes.inode
        kind = status.attributes.kind
        owner = status.owner
    }

    package var isSocket: Bool { kind == .socket }
    package var isRegular: Bool { kind == .regular }
}
