#if Hummingbird && Modules
import HTTPTypes
public import Hummingbird
import NIOCore
public import ShuntAppLinks

/// Serves the association files of a website, and hands everything else on.
///
/// ```swift
/// let app = Application(responder: AppLinksResponder(files, otherwise: router.buildResponder()))
/// ```
///
/// Put it in front of rules and redirects: devices follow none for these files.
public struct AppLinksResponder<Wrapped: HTTPResponder>: HTTPResponder where Wrapped.Context: RequestContext {
    private let files: AppLinkFiles
    private let wrapped: Wrapped

    /// Serves the files, and everything else with another responder.
    public init(_ files: AppLinkFiles, otherwise wrapped: Wrapped) {
        self.files = files
        self.wrapped = wrapped
    }

    /// Answers with a file, or hands the request on.
    public func respond(
        to request: Hummingbird.Request,
        context: Wrapped.Context
    ) async throws -> Hummingbird.Response {
        guard request.method == .get || request.method == .head, let file = files.file(at: request.uri.path) else {
            return try await wrapped.respond(to: request, context: context)
        }
        var response = Hummingbird.Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file)))
        response.headers[.contentType] = AppLinkFiles.contentType
        return request.method == .head ? response.createHeadResponse() : response
    }
}
#endif
