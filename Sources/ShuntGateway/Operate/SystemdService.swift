#if Gateway
import Glibc
import NIOCore
import ServiceLifecycle
import Shunt
import UnixSignals

/// Notifies systemd when requests are taken and when no more are, and reloads at SIGHUP, which it reports too.
struct SystemdService: Service {
    let gateway: Gateway
    let notice: SystemdNotice

    func run() async throws {
        await cancelWhenGracefulShutdown {
            guard (try? await gateway.ports()) != nil else {
                // The gateway reports its failure; an end here would hide it.
                try? await gracefulShutdown()
                return
            }
            notice.taken()
            for await _ in await UnixSignalsSequence(trapping: .sighup) {
                notice.reloading()
                await gateway.reload(by: .signal)
                notice.ready()
            }
        }
        notice.stopping()
    }
}

/// The notices of a service to systemd; none if it was started by another program.
///
/// https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
struct SystemdNotice: Sendable {
    private let path: String?

    init(_ environment: [String: String]) {
        path = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func taken() { send("READY=1\nSTATUS=requests are accepted") }

    /// Loading the rules has ended, well or not.
    func ready() { send("READY=1") }

    /// The result of loading the rules.
    func reloaded(_ report: ReloadReport) {
        let version = report.snapshot.version
        guard let failure = report.failure else {
            return send("STATUS=requests are accepted, by version \(version) of the rules")
        }
        let time = failure.date.iso8601().dropFirst(11).prefix(8)
        let summary = failure.summary.split(separator: "\n").first ?? ""
        send("STATUS=rules refused at \(time) UTC: \(summary); version \(version) serves")
    }

    /// The rules are being loaded again.
    func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(NIODeadline.now().uptimeNanoseconds / 1_000)") }

    /// A shutdown has begun.
    func stopping() { send("STOPPING=1\nSTATUS=waiting for requests in progress") }

    /// Sends one datagram; that no one takes it is nothing a service could do something about.
    private func send(_ text: String) {
        guard let path else { return }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // A name that begins with @ is one that no file has.
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        let room = MemoryLayout.size(ofValue: name.sun_path)
        guard bytes.count < room else { return }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(offset + bytes.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(text.utf8)
        _ = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
#endif
