#if Hummingbird && Modules
import HTTPTypes
public import Hummingbird
import NIOCore
import ShuntLinks

/// Answers `POST` to a bridge, serves its client, and passes everything else to another responder.
public struct BridgeResponder<Wrapped: HTTPResponder>: HTTPResponder where Wrapped.Context: RequestContext {
    private let door: BridgeDoor
    private let wrapped: Wrapped

    init(_ door: BridgeDoor, otherwise wrapped: Wrapped) {
        self.door = door
        self.wrapped = wrapped
    }

    /// Answers a request, or passes it on.
    public func respond(
        to request: Hummingbird.Request,
        context: Wrapped.Context
    ) async throws -> Hummingbird.Response {
        switch (request.uri.path, request.method) {
        case (door.path, .post): try await answer(request)
        case (door.path, .options): preflight(request)
        case (door.path, .get): Self.text(.upgradeRequired, "connect with a WebSocket, or use POST")
        case (door.path, _): Self.text(.methodNotAllowed, "")
        case (door.path + ".js", .get): Self.client
        default: try await wrapped.respond(to: request, context: context)
        }
    }

    private func answer(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
        let origin = Self.origin(of: request)
        do {
            _ = try door.bridge.caller(from: origin)
            let values = try door.values(request.ruleRequest)
            let limit = door.bridge.options.messageSize
            var request = request
            let body = try await request.collectBody(upTo: limit)
            let answer = try await door.bridge.open(envelope: String(buffer: body), from: origin, values: values)
            var response = Self.text(.ok, answer)
            response.headers[.contentType] = "application/json"
            response.headers[.cacheControl] = "no-store"
            Self.allow(origin, in: &response)
            return response
        } catch let error as BridgeError {
            return Self.text(.forbidden, error.description)
        } catch is NIOTooManyBytesError {
            return Self.text(.contentTooLarge, "the message has more bytes than messageSize allows")
        } catch {
            return Self.text(HTTPResponse.Status(code: LinkStatus.status(of: error)), "")
        }
    }

    /// The answer to a browser that asks before it sends the JSON of a page of another origin.
    private func preflight(_ request: Hummingbird.Request) -> Hummingbird.Response {
        let origin = Self.origin(of: request)
        guard (try? door.bridge.caller(from: origin)) != nil else { return Self.text(.forbidden, "") }
        var response = Hummingbird.Response(status: .noContent)
        response.headers[.accessControlAllowMethods] = "POST"
        response.headers[.accessControlAllowHeaders] = "content-type"
        Self.allow(origin, in: &response)
        return response
    }

    private static func origin(of request: Hummingbird.Request) -> String? {
        let origins = request.headers[values: .origin]
        return origins.count == 1 ? origins.first : nil
    }

    private static func allow(_ origin: String?, in response: inout Hummingbird.Response) {
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.vary] = "Origin"
    }

    private static var client: Hummingbird.Response {
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: BridgeClient.javaScript))
        var response = Hummingbird.Response(status: .ok, body: body)
        response.headers[.contentType] = "text/javascript; charset=utf-8"
        return response
    }

    private static func text(_ status: HTTPResponse.Status, _ text: String) -> Hummingbird.Response {
        var response = Hummingbird.Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        response.headers[.contentType] = "text/plain; charset=utf-8"
        return response
    }
}
#endif
