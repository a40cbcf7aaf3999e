#if Gateway
import NIOCore

/// The body of a request on its way to an upstream, no faster than the upstream takes it.
typealias RequestBodyStream = NIOThrowingAsyncSequenceProducer<
    ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, RequestBodyDemand
>

/// Tells the connection when more of the body is wanted, and when no more ever will be.
final class RequestBodyDemand: NIOAsyncSequenceProducerDelegate {
    private let handler: NIOLoopBound<ConnectionHandler>
    private let loop: any EventLoop

    init(_ handler: NIOLoopBound<ConnectionHandler>, loop: any EventLoop) {
        self.handler = handler
        self.loop = loop
    }

    func produceMore() {
        let handler = handler
        loop.execute { handler.value.resumeReading() }
    }

    func didTerminate() {
        let handler = handler
        loop.execute { handler.value.resumeReading() }
    }
}
#endif
