/// Directives that decide nothing about a request.
enum ApacheSettings {
    private static let beginnings = [
        "add", "authbasic", "authdigest", "authgroupfile", "authname", "authtype", "authuserfile", "browsermatch",
        "cgipassauth", "charset", "contentdigest", "customlog", "default", "enablemmap", "enablesendfile", "filter",
        "maxclients", "typesconfig", "errorlog", "expires", "fileetag", "forcetype", "headername", "index", "keepalive",
        "language", "limitrequest", "listen", "loadmodule", "loglevel", "logformat", "modpagespeed", "multiviews",
        "passenger", "php_", "remove", "secrule", "secfilter", "serveradmin", "serversignature", "servertokens",
        "serverroot", "setenv", "setoutputfilter", "sethandler", "ssl", "suphp", "timeout", "unsetenv", "usecanonical",
        "user", "group", "pidfile", "mpm", "startservers", "minspare", "maxspare", "maxrequest", "threads", "readme",
        "imapmenu", "substitute", "deflate", "brotli", "cache", "allowoverride", "acceptpathinfo", "directoryslash",
        "allowencodedslashes", "authn", "header", "requestheader", "bufferedlogs", "lsapi", "litespeed",
        "checkspelling", "checkcaseonly", "suexec", "secstatus", "servername", "serveralias", "documentroot", "gzip",
        "mod_gzip",
    ]

    /// The beginnings of directives that refuse requests all the same.
    private static let refusing = ["limitrequest", "secrule", "secaction", "secfilter", "secremoterule"]

    static func contains(_ directive: ApacheDirective) -> Bool {
        let key = directive.key
        if refusing.contains(where: key.hasPrefix), !["off", "detectiononly"].contains(directive.text.lowercased()) {
            return false
        }
        return beginnings.contains(where: key.hasPrefix)
    }
}
