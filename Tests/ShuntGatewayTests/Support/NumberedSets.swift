#if Gateway
import Glibc
import TestFolder
import Testing

/// Rule sets one after the other, each of two files that have the same number in them; every third set is wrong.
///
/// They are a link to a directory, which is turned: both files of a set change in one moment.
struct NumberedSets {
    let directory: TestFolder
    /// The rules in front of the server and in it, with `NUMBER` for the number of the set.
    private let groups: String
    private let locations: String

    var path: String { directory.path + "/rules" }

    init(groups: String = "", locations: String = "") throws {
        self.groups = groups
        self.locations = locations
        directory = try TestFolder()
        try put(0)
    }

    static func isWrong(_ number: Int) -> Bool { number % 3 == 2 }

    /// The text of both files.
    func files(_ number: Int) -> (map: String, server: String) {
        let directive = Self.isWrong(number) ? "retrun" : "return"
        let server = "server {\n    location / { \(directive) 200 \"$first \(number)\"; }\n\(locations)}\n"
        return (
            "map $host $first { default \"\(number)\"; }\n\(groups)", server.replacing("NUMBER", with: "\(number)")
        )
    }

    func put(_ number: Int) throws {
        let files = files(number)
        try directory.makeDirectory("set\(number)")
        try directory.write("set\(number)/10-map.conf", files.map)
        try directory.write("set\(number)/20-server.conf", files.server)
        try directory.turn("rules", to: "set\(number)")
        if number > 1 { try directory.remove("set\(number - 2)") }
    }

    /// Replaces the rules forty times a second, and has a gateway load them.
    ///
    /// - Parameters:
    ///   - adminPort: The port of the gateway's admin listener.
    ///   - announce: Gets the number of each set before it is written.
    ///   - isRunning: True while the run continues.
    /// - Returns: How many sets were good and bad.
    /// - Throws: Answers of the gateway that are not as they must be.
    func replace(
        _ adminPort: UInt16,
        announce: (Int) -> Void,
        while isRunning: () -> Bool
    ) throws -> (good: Int, bad: Int) {
        var (good, bad, number) = (0, 0, 0)
        var admin = try TestConnection(port: adminPort)
        let clock = ContinuousClock()
        while isRunning() {
            let next = clock.now + .milliseconds(25)
            number += 1
            announce(number)
            try put(number)
            try admin.send("POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            let response = try #require(try admin.response())
            if Self.isWrong(number) {
                bad += 1
                #expect(response.status == 422)
                #expect(response.text.contains(#"20-server.conf:2:18","code":"#), "\(response.text)")
            } else {
                good += 1
                #expect(response.status == 200, "\(response.text)")
            }
            let rest = next - clock.now
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
        return (good, bad)
    }
}
#endif
