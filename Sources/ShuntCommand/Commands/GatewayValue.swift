#if Gateway && Command
import ArgumentParser
import Logging
import ShuntGateway

enum GatewayValue {
    static func listener(_ text: String) throws -> Listener {
        guard var listener = Listener(text) else { throw ValidationError("'\(text)' is not an ADDRESS:PORT.") }
        listener.origin = OptionSources.origin(of: "listen", text) ?? "--listen"
        return listener
    }

    static func forwardedHeader(_ text: String) throws -> TrustedProxies.Header {
        let names = TrustedProxies.Header.allCases.map(\.rawValue).joined(separator: ", ")
        return try TrustedProxies.Header(rawValue: text.lowercased()).valid(or: "'\(text)' is not one of \(names).")
    }

    static func upstream(_ text: String) throws -> UpstreamAddress {
        try UpstreamAddress(text).valid(or: "'\(text)' is not http://HOST:PORT or https://HOST:PORT, without a path.")
    }

    static func upstreamHost(_ text: String) throws -> GatewayOptions.UpstreamHost {
        try GatewayOptions.UpstreamHost(rawValue: text).valid(or: "'\(text)' is neither client nor upstream.")
    }

    static func socketMode(_ text: String) throws -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777 else {
            throw ValidationError("'\(text)' is not a mode such as 0660.")
        }
        return mode
    }

    static func logLevel(_ text: String) throws -> Logger.Level {
        try Logger.Level(rawValue: text).valid(or: "'\(text)' is not a level: debug, info, warning or error.")
    }

    static func accessLogFormat(_ text: String) throws -> AccessLogFormat {
        do throws(AccessLogFormat.FormatError) {
            return try AccessLogFormat(text)
        } catch {
            throw ValidationError("--access-log-format: \(error).")
        }
    }

    static func log(_ text: String) throws -> ProgramLog.Form {
        try ProgramLog.Form(rawValue: text).valid(or: "'\(text)' is neither text nor json.")
    }
}
#endif
