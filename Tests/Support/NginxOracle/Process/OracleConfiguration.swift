import Glibc

extension OracleRun {
    /// Hash sizes that suit any rule set; a rule set that names one of them brings its own.
    private static let hashSizes = [
        ("map_hash_bucket_size", "256"), ("map_hash_max_size", "65536"),
        ("server_names_hash_bucket_size", "256"), ("server_names_hash_max_size", "65536"),
        ("variables_hash_bucket_size", "256"), ("variables_hash_max_size", "65536"),
    ]

    /// Writes `nginx.conf` and one file a rule set; returns the names of the numbered blocks.
    func writeConfiguration(_ process: NginxProcess, ports: [[UInt16]]) throws -> [String] {
        var labels: [String] = []
        var includes = ""
        for (index, question) in questions.enumerated() {
            let rules = RunnableRules(
                question.rules,
                ports: ports[index],
                root: try process.documentRoot(index, files: question.files),
                logging: (path: process.log, firstLabel: labels.count + 1)
            )
            labels += rules.labels
            try process.write(rules.text, to: "set\(index).conf")
            includes += "include \(process.folder)/set\(index).conf;\n"
        }
        let sizes = Self.hashSizes
            .filter { name, _ in !questions.contains { $0.rules.bytes.contains(sequence: Array(name.utf8)) } }
            .map { "\($0.0) \($0.1);\n" }
        let http = """
            root \(process.root);
            default_type text/plain;
            keepalive_requests 1000000000;
            keepalive_timeout 600s;
            client_header_buffer_size 32k;
            large_client_header_buffers 8 68k;
            \(sizes.joined())
            \((0...labels.count).map(AccessLog.format).joined())
            access_log \(process.log) o0;
            \(includes)
            """
        try process.configure(http, connections: 1024, main: "worker_shutdown_timeout 3s;")
        return labels
    }
}
