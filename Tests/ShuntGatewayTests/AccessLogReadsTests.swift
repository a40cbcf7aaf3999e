#if Gateway
import Shunt
import ShuntGateway
import ShuntTools
import TestFolder
import Testing

/// An access log that has what the rules read: it replays exactly.
@Suite struct AccessLogReadsTests {
    private static let rules = """
        input $app_version 0;
        map $http_accept $wants_json { default 0; ~json 1; }
        server { listen 80; return 404; }
        server {
            server_name shop.test;
            location /cart { if ($cookie_beta = 1) { return 302 /new; } return 200 cart; }
            location /app { if ($app_version ~ ^3) { return 204; } return 426; }
            location /data { if ($wants_json) { return 200 json; } return 406; }
        }
        """

    @Test("A replay on the same rules changes nothing, and the log holds nothing that no rule reads")
    func replays() async throws {
        let folder = try TestFolder()
        let options = RunningGateway.Change { options in
            options.accessLog = "\(folder.path)/access.log"
            options.logsReads = true
            options.logMasks = ["session"]
            options.inputHeaders = [GatewayOptions.InputHeader(variable: "app_version", header: "X-App-Version")]
        }
        let requests: [(target: String, headers: [String], status: Int)] = [
            ("/cart", ["Cookie: session=s3cret; beta=1"], 302), ("/cart", ["Cookie: session=s3cret"], 200),
            ("/app", ["X-App-Version: 3.1"], 204), ("/app", [], 426),
            ("/data", ["Accept: application/json"], 200), ("/data", ["Authorization: Basic cDpw"], 406),
        ]
        try await RunningGateway.with(["rules.conf": Self.rules], options: options) { gateway in
            for (target, headers, status) in requests {
                let lines = ["GET \(target) HTTP/1.1", "Host: shop.test", "Connection: close"] + headers + ["", ""]
                let answer = try await gateway.send(lines.joined(separator: "\r\n")).first
                #expect(answer?.status == status)
            }
        }
        let log = try folder.text("access.log")
        for secret in ["s3cret", "cDpw", "session"] { #expect(!log.contains(secret)) }
        let lines = log.split(separator: "\n")
        #expect(lines.count == requests.count)
        let engine = Engine(try RuleSet(text: Self.rules))
        for (line, request) in zip(lines, requests) {
            let replayed = try RequestDescription(line: Array(line.utf8))
            #expect(engine.decide(replayed.request).status == request.status, "\(line)")
        }
    }
}
#endif
