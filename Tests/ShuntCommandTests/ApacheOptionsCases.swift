/// `Options` that let rewriting be used or do not, and holes that imports had.
extension ApacheAccessTests {
    static let optionCases = [
        Case(
            "Rewriting where no link is followed",
            "RewriteEngine on\nRewriteRule ^a$ /b [R]\nRedirect /r /s\nOptions None",
            [
                "in/": "Options +FollowSymLinks", "off/": "RewriteEngine off", "own/": "Options SymLinksIfOwnerMatch",
                "in/not/": "Options -FollowSymLinks", "in/all/": "Options -FollowSymLinks\nOptions All",
            ],
            requests: "/a, /c, /r, /in, /in/a, /off/a, /own/x, /in/not, /in/not/x, /in/all/x"
        ),
        Case(
            "No link is followed in a folder below the rewriting",
            "RewriteEngine on\nRewriteRule ^(.*)x$ /y [R]\n<Files z>\nRequire all granted\n</Files>",
            ["in/": "Options ExecCGI", "on/": "Options -Indexes -ExecCGI", "two/": "Options -Indexes -FollowSymLinks"],
            requests: "/x, /in, /in/x, /in/z, /in/b, /on/x, /on/b, /two/x, /two/z"
        ),
        Case("No link is followed, and nothing is rewritten", "Options None\nRedirect /a /b", requests: "/a, /c"),
        Case(
            "Options of a section",
            "RewriteEngine on\nRewriteRule ^a$ /b [R]\n<Files a>\nOptions None\n</Files>",
            requests: "/a, /c",
            isExact: false
        ),
        Case(
            "A sign without a text is an expression",
            "RewriteEngine on\nRewriteCond %{QUERY_STRING} !=\nRewriteRule ^foo - [F]\nRewriteCond %{QUERY_STRING} =\nRewriteRule ^bar - [F]",
            requests: "/foo, /foo?a=b, /foo?a, /bar, /bar?a=b, /bar?a"
        ),
        Case(
            "A refused name with more of a path after it",
            "<FilesMatch \"^(api|foo)\">\nRequire all denied\n</FilesMatch>\n<FilesMatch \"^\\.\">\nRequire ip 10\n</FilesMatch>",
            requests: "/api.php/x, /api, /apix, /.git/config, /.git/config 10.0.0.1, /xapi, /a"
        ),
    ]
}
