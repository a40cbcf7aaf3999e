/// Variables of the environment, and what else is imported exactly.
extension ApacheImportTests {
    static let environments = [
        Case(
            name: "Variables by the request refuse, and the last line that matches decides",
            text: """
                SetEnvIfNoCase User-Agent "bad|evil" bot
                SetEnvIfNoCase User-Agent spam bot
                BrowserMatch ^Good !bot
                SetEnvIf Request_Method DELETE erase=yes
                Order Allow,Deny
                Allow from all
                Deny from env=bot env=erase
                """,
            requests: """
                GET /a example.com -> forward
                GET /a example.com -> respond 403
                    > User-Agent: an EVIL one
                GET /a example.com -> respond 403
                    > User-Agent: Spam
                GET /a example.com -> forward
                    > User-Agent: Good evil
                DELETE /a example.com -> respond 403
                """
        ),
        Case(
            name: "A requirement that a variable has no value, with addresses and rules",
            text: """
                RewriteEngine on
                RewriteRule ^old$ /new [R,L]
                SetEnvIf Referer spam\\.example bad
                <RequireAll>
                    Require ip 192.0.2.0/24
                    Require not env bad
                </RequireAll>
                """,
            requests: """
                GET /old example.com -> redirect 302 http://example.com/new
                    @remote 192.0.2.1
                GET /old example.com -> respond 403
                    @remote 198.51.100.1
                GET /old example.com -> respond 403
                    @remote 192.0.2.1
                    > Referer: http://spam.example/
                """
        ),
        Case(
            name: "An address that all are allowed from needs no variable",
            text: "SetEnvIf Referer spam bad\nOrder Deny,Allow\nAllow from all\nDeny from env=bad",
            requests: "GET /a example.com -> forward\n    > Referer: spam"
        ),
        Case(
            name: "Variables in targets and conditions, with groups and fixed values",
            text: """
                RewriteEngine on
                SetEnvIf Request_URI ^.*$ ROOT=https://data.example/v1/
                SetEnvIf Accept-Language "^(de|fr)" lang=$1
                RewriteCond %{ENV:lang} ^(..)$
                RewriteRule ^start$ /%1/start [R,L]
                RewriteRule ^data/(.*)$ %{ENV:root}$1 [R=303,L]
                RewriteRule . - [E=BASE:/]
                RewriteCond %{ENV:unset_here} ^$
                RewriteRule ^api/(.*)$ %{ENV:BASE}ws.php?url=$1 [QSA,L,E=unset_here:1]
                """,
            requests: """
                GET /start example.com -> redirect 302 http://example.com/de/start
                    > Accept-Language: de-DE
                GET /start example.com -> forward
                GET /data/a?x=1 example.com -> redirect 303 https://data.example/v1/a?x=1
                GET /api/x?y=1 example.com -> forward http://example.com/ws.php?url=x&y=1
                """
        ),
        Case(
            name: "Headers with a condition, with a dollar sign, and joined to others",
            text: """
                SetEnvIf Request_URI \\.(gif|png)$ dont-vary
                Header append Vary User-Agent env=!dont-vary
                Header set X-Picture yes env=dont-vary
                Header merge Cache-Control public
                Header set X-Price 5$ env=!none
                Redirect /x http://b.example/
                Redirect /x.gif http://b.example/
                """,
            requests: """
                GET /x example.com -> redirect 302 http://b.example/
                    < Vary: User-Agent
                    < Cache-Control: public
                    < X-Price: 5$
                    !< X-Picture
                GET /x.gif example.com -> redirect 302
                    < X-Picture: yes
                    !< Vary
                """
        ),
        Case(
            name: "Joined queries, types of targets, and groups that begin with a group",
            text: """
                RewriteEngine on
                RewriteRule ^s/(.*)$ https://b.example/?q=$1 [R=303,QSA,L]
                RewriteRule ^(.+)\\.jpg$ /$1.webp [T=image/webp,L]
                RewriteRule ^.+/((css|js)/.*)$ $1 [L]
                RewriteRule .* - [E=Cache-Control:vary=%{ENV:LSCACHE_VARY_VALUE}+webp]
                Order Deny,Allow
                Allow from *
                """,
            requests: """
                GET /s/x example.com -> redirect 303 https://b.example/?q=x
                GET /s/x?y=1 example.com -> redirect 303 https://b.example/?q=x&y=1
                GET /a.jpg example.com -> forward http://example.com/a.webp
                GET /v/css/a.css example.com -> forward http://example.com/css/a.css
                """
        ),
        Case(
            name: "Folders without an index, and files that no name can be",
            text: "Options +Indexes\n<Files \"C:\\x/y.txt\">\nRequire all denied\n</Files>",
            requests: "GET /y.txt example.com -> forward"
        ),
        Case(
            name: "The path of a request in a target brings no doubled slash",
            text: """
                RewriteEngine on
                RewriteCond %{REQUEST_URI} \\/$
                RewriteRule !^cache /cache/%{HTTP_HOST}/%{REQUEST_URI}/_index.html [L]
                """,
            requests: "GET /a/b/ example.com -> forward http://example.com/cache/example.com/a/b/_index.html"
        ),
    ]

    static let closedEnvironments = [
        Case(
            name: "A variable that an allowed address would pass",
            text: "SetEnvIf Referer spam bad\nDeny from env=bad\nAllow from 192.0.2.1",
            requests: "GET /a example.com -> respond 403\n    @remote 192.0.2.1"
        ),
        Case(
            name: "A variable by the name of the client",
            text: "SetEnvIf Remote_Host example bad\nOrder Allow,Deny\nAllow from all\nDeny from env=bad",
            requests: "GET /a example.com -> respond 403"
        ),
        Case(
            name: "One of several requirements, without a variable",
            text: """
                SetEnvIf Referer spam bad
                <RequireAny>
                <RequireAll>
                Require all granted
                Require not env bad
                </RequireAll>
                Require ip 192.0.2.1
                </RequireAny>
                """,
            requests: "GET /a example.com -> respond 403\n    > Referer: spam"
        ),
    ]
}
