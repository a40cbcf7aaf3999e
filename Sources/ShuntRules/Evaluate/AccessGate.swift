/// The part of the gates that the rules themselves cannot know: files of passwords, and counts of other requests.
///
/// There is one for each request, which goes with it wherever it is decided again.
package protocol AccessGate: AnyObject, Sendable {
    /// Looks a user up in a file of passwords, named as in rules; `mayWait` if the thread may wait and work long.
    func check(_ login: Login, in file: [UInt8], mayWait: Bool) -> PasswordAnswer

    /// The request is decided about, for the first time or again.
    func begin()

    /// Counts the request in zones, if it is not counted yet; one that is decided about again gets the answer that it had.
    func count(_ kind: LimitZone.Kind, limits: [ZoneLimit], keys: [[UInt8]], settings: LimitSettings) -> LimitAnswer

    /// The value of `$limit_req_status` or `$limit_conn_status`; empty where the request has not been counted.
    func limitStatus(_ kind: LimitZone.Kind) -> String
}

package enum LimitAnswer: Sendable {
    case passes
    case refuses
    /// The request is decided about after a delay.
    case waits
}

package struct Login: Sendable, Hashable {
    package var user: [UInt8]
    package var password: [UInt8]

    package init(user: [UInt8], password: [UInt8]) { (self.user, self.password) = (user, password) }
}

package enum PasswordAnswer: Sendable {
    case right
    case wrong
    case noFile
    /// The file cannot be read, or the password not be checked.
    case failed
    /// The answer takes longer than the thread may take.
    case takesLong
}
