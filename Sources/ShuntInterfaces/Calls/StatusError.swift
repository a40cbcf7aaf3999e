/// An error that has an HTTP status: what the doors to the outside answer with, and what a client makes of an answer.
public protocol StatusError: Error {
    /// The status, 400 to 599.
    var status: Int { get }
}
