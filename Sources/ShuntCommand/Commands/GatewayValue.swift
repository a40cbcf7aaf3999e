#if Gateway && Command
import ArgumentParser
import Logging
import ShuntGateway

/// Reads the values of options.
enum GatewayValue {
    static func listener(_ text: String) throws -> Listener {
        guard var listener = Listener(text) else { throw ValidationError("'\(text)' is not an ADDRESS:PORT.") }
        listener.origin = OptionSources.origin(of: "listen", text) ?? "--listen"
        return listener
    }

    static func forwardedHeader(_ text: String) throws -> TrustedProxies.Header {
        guard let header = TrustedProxies.Header(rawValue: text.lowercased()) else {
            let names = TrustedProxies.Header.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is not one of \(names).")
        }
        return header
    }

    static func upstream(_ text: String) throws -> UpstreamAddress {
        guard let address = UpstreamAddress(text) else {
            throw ValidationError("'\(text)' is not http://HOST:PORT or https://HOST:PORT, without a path.")
        }
        return address
    }

    static func upstreamHost(_ text: String) throws -> GatewayOptions.UpstreamHost {
        guard let host = GatewayOptions.UpstreamHost(rawValue: text) else {
            throw ValidationError("'\(text)' is neither client nor upstream.")
        }
        return host
    }

    static func socketMode(_ text: String) throws -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777 else {
            throw ValidationError("'\(text)' is not a mode such as 0660.")
        }
        return mode
    }

    static func logLevel(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError("'\(text)' is not a level: debug, info, warning or error.")
        }
        return level
    }

    static func accessLogFormat(_ text: String) throws -> AccessLogFormat {
        do throws(AccessLogFormat.Problem) {
            return try AccessLogFormat(text)
        } catch {
            throw ValidationError("--access-log-format: \(error).")
        }
    }

    static func log(_ text: String) throws -> ProgramLog.Form {
        guard let form = ProgramLog.Form(rawValue: text) else {
            throw ValidationError("'\(text)' is neither text nor json.")
        }
        return form
    }
}
#endif
