/// That nginx could not be asked: it is missing, crashed, or did not answer in time.
///
/// It is not evidence about any rules.
package struct OracleFailure: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
