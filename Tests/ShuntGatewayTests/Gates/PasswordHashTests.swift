#if Gateway
import ShuntRules
import Testing

@testable import ShuntGateway

/// Passwords as they are stored, and the files that they are in.
@Suite struct PasswordHashTests {
    static let stored = [
        "$apr1$saltsalt$LrttParrLPdxvgutaSXWJ0", "{PLAIN}secret", "{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=",
        "{SSHA}8bX4JQDfZqtTfvnQ4ssDmWb17/FTQUxU", "abNANd1rDfiNc", "$1$salt$ez2vlPGdaLYkJam5pWs/Y1",
        "$5$rounds=1000$salt$CCvcOM6b7TEJDPb37Aec/9UpOg4QhPNAxPpL9ZzjTB7",
        "$6$rounds=1000$salt$HNxBeBnDfSfUrTj6KiLnmd7tGCvHEmcExh8kl/S0cZ5WrCciNZgfhbpkeFQ4JfkHX.8vPq45lY0iINnCx1Lkm.",
        "$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW",
        "$y$j75$salt$7AaIs0B9f0jwZeNZA4Sj0ZD7EbU9CAsq4yRR0uTeR04",
    ]

    @Test("The right password fits in every form, and no other does", arguments: stored)
    func fits(_ stored: String) {
        let hash = PasswordHash(stored.utf8)
        #expect(hash.fits(Array("secret".utf8)) == true)
        // As in C, a password ends at a NUL byte.
        #expect(hash.fits(Array("secret\0more".utf8)) == true)
        for wrong in ["", "Secret", "secre", "secret1", "{PLAIN}secret", stored] {
            // The oldest form reads eight characters.
            #expect(hash.fits(Array(wrong.utf8)) == false, "\(wrong)")
        }
        for end in 0..<stored.utf8.count where end != stored.utf8.count {
            #expect(PasswordHash(stored.utf8.prefix(end)).fits(Array("secret".utf8)) != true, "\(end)")
        }
    }

    @Test("A password of more than sixteen bytes has its hash of Apache, and a salt ends at eight bytes")
    func longPassword() {
        let password = Array("a password of more than sixteen bytes, umlaut ä".utf8)
        #expect(PasswordHash("$apr1$ab$lH5TwmLHkCHKDWOmzJwjR1".utf8).fits(password) == true)
        #expect(PasswordHash("$apr1$saltsaltmore$LrttParrLPdxvgutaSXWJ0".utf8).fits(Array("secret".utf8)) == false)
    }

    @Test(
        "A file is read as nginx reads it",
        arguments: [
            ("u:p", "p"), ("u:p\n", "p"), ("u:p\r\n", "p"), ("u:p:comment", "p"), ("u:", ""), ("#u:x\nu:p", "p"),
            ("\n\nu:p", "p"),
            ("uu:x\nu:p", "p"), ("x:y\nu:p\nu:q", "p"), ("u\nu:p", nil), ("u\n\nu:p", "p"), ("", nil), ("u", nil),
            (":p", nil),
            (" u:p", nil), ("\ru:p", nil), ("\ru\nu:p", "p"), ("U:p", nil), ("v:u:p", nil),
        ] as [(String, String?)]
    )
    func lines(_ text: String, _ stored: String?) {
        let found = PasswordFile(Array(text.utf8)).stored(for: Array("u".utf8))
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == stored)
    }

    @Test("A slow password is checked once, and others do not wait")
    func quick() {
        let file = PasswordFile(Array("u:\(Self.stored[0])\nv:{PLAIN}p".utf8))
        let (right, wrong) = (Login(user: "u", password: "secret"), Login(user: "u", password: "wrong"))
        func isLong(_ login: Login) -> Bool {
            if case .takesLong = file.check(login, mayWait: false) { true } else { false }
        }
        #expect(isLong(right) && isLong(wrong))
        #expect(!isLong(Login(user: "v", password: "p")) && !isLong(Login(user: "w", password: "p")))
        guard case .right = file.check(right, mayWait: true), case .wrong = file.check(wrong, mayWait: true) else {
            Issue.record("the wrong answer")
            return
        }
        #expect(!isLong(right) && isLong(wrong))
    }
}

extension Login {
    fileprivate init(user: String, password: String) {
        self.init(user: Array(user.utf8), password: Array(password.utf8))
    }
}
#endif
