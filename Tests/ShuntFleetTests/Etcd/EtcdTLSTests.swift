#if Fleet
import Foundation
import ShuntFleet
import TestFolder
import Testing

/// TLS against the real etcd, with certificates that OpenSSL makes.
@Suite(
    "TLS to a real etcd",
    .enabled(if: EtcdProcess.executable != nil && TestAuthority.isThere, "etcd or openssl is not installed")
)
struct EtcdTLSTests {
    static func text(_ options: EtcdOptions) async -> String? {
        let failure = await EtcdClientTests.failure { () async throws(EtcdError) in
            try await EtcdClient(options).range(EtcdRange("/k"))
        }
        return failure?.description
    }

    @Test("The right certificate is accepted; another name, another authority and an expired one are distinguished")
    func certificates() async throws {
        let folder = try TestFolder()
        let authority = try TestAuthority(folder, "ca")
        let other = try TestAuthority(folder, "other")
        try authority.sign("right", name: "IP:127.0.0.1")
        try authority.sign("named", name: "DNS:elsewhere.test")
        try authority.sign("old", name: "IP:127.0.0.1", isExpired: true)
        for (certificate, trusted, problem) in [
            ("right", authority, nil), ("named", authority, "its certificate is for another name"),
            ("old", authority, "its certificate has expired"),
            ("right", other, "its certificate is not from an authority that is trusted"),
        ] as [(String, TestAuthority, String?)] {
            let etcd = try EtcdProcess(
                folder: folder,
                scheme: "https",
                ["--cert-file", "\(folder.path)/\(certificate).pem", "--key-file", "\(folder.path)/\(certificate).key"]
            )
            try etcd.start()
            var options = EtcdOptions(endpoints: [etcd.url])
            options.authorities = trusted.certificate
            try await eventually {
                // It takes a moment until it listens.
                let text = await Self.text(options)
                return text == problem.map { "\(etcd.url): \($0)" }
            }
            etcd.kill()
            try folder.remove("one")
        }
    }

    @Test("A client certificate is shown, read again when it is replaced, and one with a common name is reported")
    func clientCertificates() async throws {
        let folder = try TestFolder()
        let authority = try TestAuthority(folder, "ca")
        try authority.sign("right", name: "IP:127.0.0.1")
        try authority.sign("nameless", name: "DNS:node.test")
        try authority.sign("named", name: "DNS:node.test", commonName: "node-1")
        let etcd = try EtcdProcess(
            folder: folder,
            scheme: "https",
            [
                "--cert-file", "\(folder.path)/right.pem", "--key-file", "\(folder.path)/right.key",
                "--trusted-ca-file", authority.certificate, "--client-cert-auth",
            ]
        )
        try etcd.start()
        var options = EtcdOptions(endpoints: [etcd.url])
        options.authorities = authority.certificate
        // Without one, the connection ends where TLS is agreed on, or soon after.
        #expect(await Self.text(options) != nil)
        options.certificate = "\(folder.path)/shown.pem"
        options.key = "\(folder.path)/shown.key"
        #expect(await Self.text(options)?.contains("shown.pem") == true)
        try folder.write("shown.pem", try folder.text("nameless.pem"))
        try folder.write("shown.key", try folder.text("nameless.key"))
        try await EtcdProcess.ready(options)
        let client = EtcdClient(options)
        _ = try await client.range(EtcdRange("/k"))
        // etcd reports that it checks the name where it has users.
        var user = options
        (user.user, user.password) = ("root", "secret")
        for (path, body) in [
            ("user/add", #"{"name":"root","password":"secret"}"#), ("role/add", #"{"name":"root"}"#),
            ("user/grant", #"{"user":"root","role":"root"}"#), ("enable", "{}"),
        ] {
            try TestAuthority.run(
                "/usr/bin/curl",
                [
                    "-sf", "--cacert", authority.certificate, "--cert", "\(folder.path)/nameless.pem", "--key",
                    "\(folder.path)/nameless.key", "-d", body, etcd.url + "/v3/auth/" + path,
                ]
            )
        }
        let withUser = EtcdClient(user)
        _ = try await withUser.range(EtcdRange("/k"))
        try folder.write("shown.pem", try folder.text("named.pem"))
        try folder.write("shown.key", try folder.text("named.key"))
        let failure = await EtcdClientTests.failure { () async throws(EtcdError) in
            try await withUser.range(EtcdRange("/k"))
        }
        #expect(failure?.reason == .refused)
        #expect(failure?.description.contains("make one without") == true, "\(failure?.description ?? "nothing")")
    }
}

/// An authority for a test.
struct TestAuthority {
    private static let openssl = "/usr/bin/openssl"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: openssl) }

    private let folder: TestFolder
    private let name: String

    var certificate: String { "\(folder.path)/\(name).pem" }

    init(_ folder: TestFolder, _ name: String) throws {
        self.folder = folder
        self.name = name
        try Self.run(
            Self.openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/O=\(name)", "-keyout", "\(folder.path)/\(name).key", "-out", certificate,
            ]
        )
    }

    /// Makes a certificate and its key in the folder.
    func sign(_ file: String, name: String, commonName: String? = nil, isExpired: Bool = false) throws {
        let place = "\(folder.path)/\(file)"
        let subject = commonName.map { "/O=test/CN=\($0)" } ?? "/O=test"
        try Self.run(
            Self.openssl,
            [
                "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", subject,
                "-keyout", place + ".key", "-out", place + ".csr",
            ]
        )
        try folder.write("\(file).ext", "subjectAltName=\(name)\nextendedKeyUsage=serverAuth,clientAuth\n")
        try Self.run(
            Self.openssl,
            [
                "x509", "-req", "-in", place + ".csr", "-CA", certificate, "-CAkey", "\(folder.path)/\(self.name).key",
                "-CAcreateserial", "-days", isExpired ? "-1" : "2", "-extfile", place + ".ext", "-out", place + ".pem",
            ]
        )
    }

    static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw TestProblem("\(program) \(arguments)") }
    }
}
#endif
