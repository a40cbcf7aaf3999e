package import ShuntCore

/// A group of servers that requests are passed to: an `upstream` block.
///
/// The engine only names the group in the URL of a decision; the caller that sends the request chooses among the
/// servers.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_upstream_module.html
package struct UpstreamGroup: Sendable, Hashable {
    package enum Method: Sendable, Hashable {
        /// One after the other, by their weights.
        case roundRobin
        /// `least_conn`: the one with the fewest requests in progress, by their weights.
        case leastConnections
        /// `ip_hash`: the same one for all clients of a network.
        case clientAddress
        /// `hash KEY`: the same one for all requests with the same key.
        case key
        /// `hash KEY consistent`: the same, and most keys keep theirs when servers come and go.
        case consistentKey
        /// `random`: any one, by their weights.
        case random
        /// `random two`: of any two the one with the fewer requests in progress, by their weights.
        case randomOfTwo
    }

    package enum Address: Sendable, Hashable {
        /// A host, which is an IPv4 address, an IPv6 address without brackets, or a name; and a port.
        case host(String, port: Int)
        /// The path of a Unix socket.
        case unix(String)
    }

    package struct Server: Sendable, Hashable {
        package var address: Address
        /// The address as it is written; by it, `consistentKey` finds the server.
        package var name = ""
        /// Its share of the requests, at least 1.
        package var weight = 1
        /// The number of requests it may have at a time; 0 for no limit.
        package var maximumConnections = 0
        /// The number of failures within `failureTime` that take it out of use; 0 for none.
        package var maximumFailures = 1
        /// The time of `maximumFailures`, and how long a failed server is out of use, in seconds.
        package var failureTime = 10
        /// True if it is used only when all others are out of use.
        package var isBackup = false
        /// True if it is never used.
        package var isDown = false
        /// True if its name is looked up again while the rules are in use.
        package var isResolved = false
        /// The place where its address is.
        package var position: SourcePosition

        /// Makes a server with the values that `server ADDRESS;` has.
        package init(_ address: Address, position: SourcePosition = .none) {
            self.address = address
            self.position = position
        }
    }

    /// The limits for reusing a connection to a server of a group: nginx's defaults if the rules set none.
    package struct Reuse: Sendable, Hashable {
        /// `keepalive_requests`: how many it serves at most.
        package var requests = 1000
        /// `keepalive_time`: for how many milliseconds it serves more of them.
        package var lifetime = 3_600_000
        /// `keepalive_timeout`: for how many milliseconds it may be idle.
        package var idleTime = 60_000

        package init() {}
    }

    /// The name, in lower case: a group is found whatever the case of the name that asks for it.
    package var name: String
    package var method = Method.roundRobin
    /// The template of the key by which a server is chosen; none without one.
    var key = TemplateIndex.none
    /// `keepalive`: how many connections to its servers may be idle; nil if it is not set.
    package var idleConnections: Int?
    package var reuse = Reuse()
    /// The servers in the order of the file.
    package var servers: [Server]

    package init(name: String, method: Method = .roundRobin, servers: [Server]) {
        self.name = name.lowercased()
        self.method = method
        self.servers = servers
    }
}
