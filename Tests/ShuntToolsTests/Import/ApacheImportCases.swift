import Testing

/// Imported files, and the decisions of their rules.
extension ApacheImportTests {
    /// Requests with their decisions, as in a file of tests.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var requests: String
        var folder: String? = "/"

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "Redirects are prefixes of whole segments, and keep the query unless they have one",
            text: """
                Redirect 301 /old /new
                Redirect /temp/ http://other.example/t/
                Redirect gone /dead
                Redirect 308 /api https://api.example/v1
                RedirectMatch 302 ^/blog/([0-9]+)$ /posts?id=$1
                RedirectPermanent / https://front.example/
                """,
            requests: """
                GET /old example.com -> redirect 301 http://example.com/new
                GET /old/a%20b?x=1 example.com -> redirect 301 http://example.com/new/a%20b?x=1
                GET /older example.com -> redirect 301 https://front.example/older
                GET /temp/x example.com -> redirect 302 http://other.example/t/x
                GET /dead/x example.com -> respond 410
                GET /api/a%20b?x=1 example.com -> redirect 308 https://api.example/v1/a%20b?x=1
                GET /blog/7?y=2 example.com -> redirect 302 http://example.com/posts?id=7
                """
        ),
        Case(
            name: "Conditions joined by AND and OR, with their captures",
            text: """
                RewriteEngine on
                RewriteCond %{HTTPS} off [OR]
                RewriteCond %{HTTP_HOST} ^www\\. [NC]
                RewriteCond %{HTTP_HOST} ^(?:www\\.)?(.+)$ [NC]
                RewriteRule ^ https://%1%{REQUEST_URI} [L,NE,R=301]
                RewriteCond %{QUERY_STRING} ^id=(\\d+)$
                RewriteRule ^product\\.php$ /p/%1? [R=301,L]
                RewriteCond %{REQUEST_URI} (.+)/$
                RewriteRule ^slashes/ %1 [R=301,L]
                RewriteRule ^$ /start [R,L]
                RewriteCond %{REQUEST_METHOD} ^POST$
                RewriteCond %{HTTP_USER_AGENT} bad [NC]
                RewriteCond %{REQUEST_URI} !^/open
                RewriteRule ^ - [F]
                """,
            requests: """
                http://www.example.com/a%20b?x -> redirect 301 https://example.com/a%20b?x
                https://www.example.com/ -> redirect 301 https://example.com/
                https://example.com/product.php?id=7 -> redirect 301 https://example.com/p/7
                https://example.com/slashes/x/ -> redirect 301 https://example.com/slashes/x
                https://example.com/ -> redirect 302 https://example.com/start
                https://example.com/product.php?id=x -> forward https://example.com/product.php?id=x
                POST /x example.com -> respond 403
                    > User-Agent: BADBOT
                    @listen 443
                POST /open example.com -> forward
                    > User-Agent: BADBOT
                    @listen 443
                GET /x example.com -> forward
                    > User-Agent: BADBOT
                    @listen 443
                """
        ),
        Case(
            name: "Rules below a folder see paths without it, chains and skips hold together, and targets end",
            text: """
                RewriteEngine on
                RewriteBase /shop/
                RewriteRule ^a/ - [C]
                RewriteRule /z$ - [F]
                RewriteCond %{QUERY_STRING} skip
                RewriteRule ^ - [S=1]
                RewriteRule ^b/(.*)$ c/$1 [R,L]
                RewriteRule .html$ page.php?was=$0 [QSA,L]
                RewriteRule !^shop index.php [L]
                """,
            requests: """
                GET /shop/a/z example.com -> respond 403
                GET /shop/b/1 example.com -> redirect 302 http://example.com/shop/c/1
                GET /shop/b/1?skip example.com -> forward http://example.com/shop/index.php?skip
                GET /shop/x.html?y=1 example.com -> forward http://example.com/shop/index.php?was=.html&y=1
                GET /other example.com -> forward http://example.com/other
                """,
            folder: "/shop/"
        ),
        Case(
            name: "Captures of alternatives, the whole match, and an expression that refers to itself",
            text: """
                RewriteEngine on
                RewriteCond %{HTTP_HOST} ^(\\w+)\\.old\\.example$ [OR]
                RewriteCond %{QUERY_STRING} ^site=(\\w+)$
                RewriteRule ^ https://%1.example/ [R=301,L]
                RewriteCond %{REQUEST_URI}::$0 ^(/.+)/(.*)::\\2$
                RewriteRule .* - [E=BASE:%1]
                RewriteCond %{ENV:REDIRECT_STATUS} =""
                RewriteRule ^index\\.php(?:/(.*)|$) %{ENV:BASE}/$1 [R=301,L]
                RewriteRule \\.gz$ - [T=text/css]
                """,
            requests: """
                GET /x a.old.example -> redirect 301 https://a.example/
                GET /x?site=b c.old.example -> redirect 301 https://c.example/?site=b
                GET /x?site=b example.com -> redirect 301 https://b.example/?site=b
                GET /index.php/shop example.com -> redirect 301 http://example.com/shop
                GET /x.gz example.com -> forward
                """
        ),
        Case(
            name: "Names of the environment have no case",
            text: """
                RewriteEngine On
                RewriteCond %{HTTPS} =on
                RewriteRule ^ - [env=proto:https]
                RewriteCond %{HTTPS} !=on
                RewriteRule ^ - [E=PROTO:http]
                RewriteCond %{HTTP_HOST} ^www\\.(.+)$ [NC]
                RewriteRule ^ %{ENV:Proto}://%1%{REQUEST_URI} [R=301,L]
                """,
            requests: """
                GET /x www.a.example -> redirect 301 http://a.example/x
                GET /x a.example -> forward http://a.example/x
                """
        ),
        Case(
            name: "Files that are refused, pages of errors and addresses",
            text: """
                ErrorDocument 403 "Go away"
                Require ip 192.0.2 2001:db8::/32
                <FilesMatch "^\\.ht|\\.(bak|sql)$">
                    Require all denied
                </FilesMatch>
                <Files "*.inc">
                    Order allow,deny
                    Deny from all
                </Files>
                """,
            requests: """
                GET /.htpasswd example.com -> respond 403
                    @remote 192.0.2.1
                GET /a/dump.sql example.com -> respond 403
                    @remote 192.0.2.1
                GET /lib/x.inc example.com -> respond 403
                    @remote 192.0.2.1
                GET /x example.com -> forward http://example.com/x
                    @remote 192.0.2.1
                GET /x example.com -> respond 403 "Go away"
                    @remote 198.51.100.1
                """
        ),
        Case(
            name: "The configuration of a server",
            text: """
                <VirtualHost *:80>
                    ServerName example.com
                    ServerAlias www.example.com
                    RewriteEngine on
                    RewriteRule ^/old/(.*)$ /new/$1 [R=301,L]
                    ProxyPass /app http://127.0.0.1:8080/app
                    <Location /private>
                        Require all denied
                    </Location>
                </VirtualHost>
                """,
            requests: """
                GET /old/x example.com -> redirect 301 http://example.com/new/x
                GET /app/x www.example.com -> forward http://127.0.0.1:8080/app/x
                GET /private/x example.com -> respond 403
                GET /privates example.com -> forward http://example.com/privates
                """,
            folder: nil
        ),
        Case(
            name: "Sections of a server with wildcards and expressions, and folders around the site",
            text: """
                <Directory />
                    Require all denied
                    <Files "*.key">
                        Require all denied
                    </Files>
                </Directory>
                <VirtualHost *:80>
                    DocumentRoot /srv/site/
                    <Directory /srv//site/./>
                        Require all granted
                    </Directory>
                    <Directory "/srv/site/up*">
                        Require all denied
                    </Directory>
                    <DirectoryMatch "/\\.git(/|$)">
                        Require all denied
                    </DirectoryMatch>
                    <DirectoryMatch "^/srv/site/(cache|temp)/">
                        Require all denied
                    </DirectoryMatch>
                    <Location "/private/*">
                        Require all denied
                    </Location>
                    <Location /ip>
                        Require ip 10.0.0.0/8
                    </Location>
                    <LocationMatch "^/x[0-9]+/">
                        Require all denied
                    </LocationMatch>
                </VirtualHost>
                """,
            requests: """
                GET /a example.com -> respond 404
                GET /up1/a example.com -> respond 403
                GET /b/.git/config example.com -> respond 403
                GET /.gitx example.com -> respond 404
                GET /cache/a example.com -> respond 403
                GET /private/a example.com -> respond 403
                GET /private/a/b example.com -> respond 404
                GET /ip/a example.com -> respond 403
                GET /ip/a example.com -> respond 404
                    @remote 10.0.0.1
                GET /a/b.key example.com -> respond 403
                GET /cached example.com -> respond 404
                GET /x12/a example.com -> respond 403
                """,
            folder: nil
        ),
    ]

    /// Rules of a server, and checks of paths.
    static let servers = [
        Case(
            name: "A section of paths is asked of the path before the rules of the server",
            text: """
                <VirtualHost *:80>
                    DocumentRoot /var/www/html
                    RewriteEngine on
                    RewriteRule ^/admin/(.*)$ /index.php?q=$1 [L]
                    <Location /admin>
                        Require ip 10.0.0.0/8
                    </Location>
                </VirtualHost>
                """,
            requests: """
                GET /admin/x example.com -> respond 403
                GET /admin/x example.com -> respond 404
                    @remote 10.0.0.1
                GET /x example.com -> respond 404
                """,
            folder: nil
        ),
        Case(
            name: "Groups that the expression of a rule lacks are empty in its conditions",
            text: """
                RewriteEngine on
                RewriteCond $1 ^(en|de)$
                RewriteRule ^a - [F]
                RewriteCond x$1\\$2 ^x\\$2$
                RewriteRule ^b - [F]
                RewriteCond $1 ^c$
                RewriteRule ^(c) - [F]
                """,
            requests: """
                GET /a example.com -> forward
                GET /c example.com -> respond 403
                """
        ),
        Case(
            name: "Conditions with an option of their own are alternatives of that",
            text: """
                RewriteEngine on
                RewriteCond %{REQUEST_URI} !(?i)^/index
                RewriteCond %{REQUEST_URI} !^/B/
                RewriteRule ^ - [F]
                """,
            requests: """
                GET /b/c.txt example.com -> respond 403
                GET /B/c.txt example.com -> forward
                GET /INDEX example.com -> forward
                """
        ),
    ]

    /// Configurations of which something has no counterpart, and is refused in its place.
    static let closed = [
        Case(
            name: "Rules that refuse in a folder around the site",
            text: """
                <Directory /var>
                    RewriteEngine on
                    RewriteRule php$ - [F]
                </Directory>
                """,
            requests: "GET /a example.com -> respond 403",
            folder: nil
        ),
        Case(
            name: "Checks of addresses for folders by an expression",
            text: """
                <Directory ~ "^/var/www/html/net/">
                    Require ip 10
                </Directory>
                """,
            requests: """
                GET /a example.com -> forward
                GET /net/a example.com -> respond 403
                    @remote 10.0.0.1
                """,
            folder: nil
        ),
        Case(
            name: "An expression that may match the path of the site",
            text: """
                <DirectoryMatch "/www/html/secret">
                    Require all denied
                </DirectoryMatch>
                """,
            requests: "GET /a example.com -> respond 403",
            folder: nil
        ),
        Case(
            name: "Certificates of clients",
            text: "SSLVerifyClient require",
            requests: "GET /a example.com -> respond 403"
        ),
        Case(
            name: "Rules of a firewall",
            text: """
                SSLRequireSSL
                SecRule REQUEST_URI "@contains passwd" "id:1,deny"
                """,
            requests: """
                http://example.com/a -> respond 403
                https://example.com/a -> forward
                """
        ),
        Case(
            name: "A section for a module that may be missing",
            text: """
                <IfModule !mod_x.c>
                    Require all denied
                </IfModule>
                """,
            requests: "GET /a example.com -> respond 403"
        ),
    ]
}
