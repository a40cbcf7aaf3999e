/// An input that may not be possible to hand over twice, such as a stream.
///
/// Calls with one that cannot are never made again.
public protocol RepeatableInput: Sendable {
    /// True if a call with it may be made again.
    var canBeRepeated: Bool { get }
}
