#if Gateway
import Logging
import ShuntRules
import Synchronization
import TestFolder
import Testing

@testable import ShuntGateway

/// Files of passwords that change while they are in use.
@Suite struct PasswordFilesTests {
    private static func answer(_ files: PasswordFiles, mayWait: Bool = true) -> String {
        let login = Login(user: Array("u".utf8), password: Array("p".utf8))
        return "\(files.check(login, in: Array("passwords".utf8), mayWait: mayWait))"
    }

    @Test("A change is in force two seconds later, and no thread waits for a disk that must not")
    func change() throws {
        let folder = try TestFolder()
        let now = Atomic<Int64>(0)
        let messages = LogMessages()
        let logger = Logger(label: "test") { _ in messages.handler }
        let files = PasswordFiles(directory: folder.path, logger: logger) { now.load(ordering: .relaxed) }
        func at(_ milliseconds: Int64) { now.store(milliseconds, ordering: .relaxed) }
        #expect(Self.answer(files, mayWait: false) == "takesLong")
        #expect(Self.answer(files) == "noFile" && Self.answer(files, mayWait: false) == "noFile")
        try folder.replace("passwords", "u:{PLAIN}p")
        at(999)
        #expect(Self.answer(files) == "noFile")
        // One request looks; the others continue for a second.
        at(1_000)
        #expect(Self.answer(files, mayWait: false) == "takesLong" && Self.answer(files, mayWait: false) == "noFile")
        at(1_999)
        #expect(Self.answer(files, mayWait: false) == "noFile")
        at(2_000)
        #expect(Self.answer(files, mayWait: false) == "takesLong")
        #expect(Self.answer(files) == "right" && Self.answer(files, mayWait: false) == "right")
        try folder.replace("passwords", "u:{PLAIN}q")
        at(3_500)
        #expect(Self.answer(files) == "wrong")
        at(5_000)
        try folder.remove("passwords")
        try folder.makeDirectory("passwords")
        #expect(Self.answer(files) == "failed")
        at(7_000)
        #expect(Self.answer(files) == "failed")
        // Each of the two states is reported once, however often the file is read.
        _ = files.check(Login(user: [], password: []), in: Array("/no\n1".utf8), mayWait: true)
        let path = folder.path + "/passwords"
        #expect(
            messages.all == [
                "error there is no file \(path) for auth_basic: every password is answered with 403 [:]",
                "error the file \(path) for auth_basic cannot be read: every password is answered with 500 [:]",
                #"error there is no file /no\x0a1 for auth_basic: every password is answered with 403 [:]"#,
            ]
        )
    }
}
#endif
