import ShuntCore
import ShuntRules

extension LintCheck {
    static let missingWorkerProcesses = onDirectives(
        "missing-worker-processes",
        .note,
        "a configuration without worker_processes",
        explanation: "nginx then uses one processor, however many there are. Write `worker_processes auto;`.",
        example: "events { }\nhttp { server { return 204; } }",
        names: ["http"]
    ) { tree, node in
        tree.nodes[node].parent < 0 && tree.children(of: -1, named: "worker_processes").isEmpty
            ? ("nginx uses one processor only", "write worker_processes auto; at the top") : nil
    }

    static let workerLimits = onDirectives(
        "worker-limits",
        .note,
        "more connections than files may be open",
        explanation: """
            A connection to a client and one to an upstream, or a file, are two descriptors. With fewer than twice as many as \
            `worker_connections` a busy worker turns clients away. Without `worker_rlimit_nofile` mostly 1024 are allowed.
            """,
        example: "worker_rlimit_nofile 1024;\nevents { worker_connections 1024; }\nhttp { server { return 204; } }",
        names: ["worker_connections", "worker_rlimit_nofile"]
    ) { tree, node in
        func number(_ name: String) -> Int? {
            tree.named[name]?.first.flatMap { tree.nodes[$0].arguments.first }.flatMap { Int($0.text) }
        }
        let (connections, files) = (number("worker_connections"), number("worker_rlimit_nofile"))
        guard (connections ?? 512) * 2 > files ?? 1024 else { return nil }
        // One of the two is told of.
        guard tree.nodes[node].name == (files == nil ? "worker_connections" : "worker_rlimit_nofile") else {
            return nil
        }
        let enough = 2 * (connections ?? 512)
        return (
            "\(files ?? 1024) open files are too few for \(connections ?? 512) connections of a worker",
            "write worker_rlimit_nofile \(enough);"
        )
    }

    static let quicReuseport = onDirectives(
        "quic-bpf-reuseport",
        .warning,
        "quic_bpf beside reuseport, with several workers",
        explanation: """
            After a reload packets of about half the connections of QUIC come to workers that do not know them, and the connections are lost.
            """,
        example: """
            worker_processes auto;
            quic_bpf on;
            events { }
            http { server { listen 443 quic reuseport; } }
            """,
        names: ["quic_bpf"]
    ) { tree, node in
        let workers = tree.children(of: -1, named: "worker_processes").first
            .flatMap { tree.nodes[$0].arguments.first?.text }
        let reuses = (tree.named["listen"] ?? [])
            .contains { listen in
                let words = tree.nodes[listen].arguments.map(\.text)
                return words.contains("quic") && words.contains("reuseport")
            }
        guard tree.nodes[node].arguments.first?.text == "on", reuses, let workers, workers != "1" else { return nil }
        return ("connections of QUIC are lost at each reload", "take quic_bpf or reuseport away")
    }

    static let tryFilesWithoutCache = onDirectives(
        "try-files-without-cache",
        .note,
        "try_files without open_file_cache",
        explanation: "Each request looks for the files anew. Where there are many, write `open_file_cache max=1000;`.",
        example: "server { location / { try_files $uri /index.html; } }",
        names: ["try_files"]
    ) { tree, node in
        let caches = tree.inherited("open_file_cache", in: tree.nodes[node].parent)
        return caches.first.map { tree.nodes[$0].arguments.first?.text == "off" } ?? true
            ? ("each request looks for these files anew", "write open_file_cache max=1000;") : nil
    }
}
