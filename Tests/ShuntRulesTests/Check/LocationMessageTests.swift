import Testing

/// Messages about locations that contradict each other.
@Suite struct LocationMessageTests {
    @Test func locations() {
        expectStructureMessages(
            #"""
            server {
                location /a { }
                location ^~ /a { }
                location = /a { location /a/b { } }
                location =/a { }
                location @n { location /x { } }
                location @n { }
                location /b { location /c { } location @m { } location ~ x { location /y { } } }
                location !~ /x { }
                location ~ y { } location ~* y { } location ~y { }
            }

            """#,
            #"""
            rules.conf:3:17: error: a second location "^~ /a" [duplicate-location]
               3 |     location ^~ /a { }
                 |                 ^~ remove one of them
            rules.conf:2:14: note: the first is here
               2 |     location /a { }
                 |              ^~
            rules.conf:4:30: error: location "/a/b" cannot be in the exact location "= /a" [location-nesting]
               4 |     location = /a { location /a/b { } }
                 |                              ^~~~ move it out of that location
            rules.conf:5:14: error: a second location "= /a" [duplicate-location]
               5 |     location =/a { }
                 |              ^~~ remove one of them
            rules.conf:4:16: note: the first is here
               4 |     location = /a { location /a/b { } }
                 |                ^~
            rules.conf:6:28: error: location "/x" cannot be in the named location "@n" [location-nesting]
               6 |     location @n { location /x { } }
                 |                            ^~ move it out of that location
            rules.conf:8:28: error: location "/c" is outside location "/b" [location-nesting]
               8 |     location /b { location /c { } location @m { } location ~ x { location /y { } } }
                 |                            ^~ begin it with "/b"
            rules.conf:8:44: error: the named location "@m" is allowed in a server only [location-nesting]
               8 |     location /b { location /c { } location @m { } location ~ x { location /y { } } }
                 |                                            ^~ move it out
            rules.conf:8:75: error: location "/y" is outside location "~ x" [location-nesting]
               8 |     location /b { location /c { } location @m { } location ~ x { location /y { } } }
                 |                                                                           ^~ only regular expressions are allowed in one
            rules.conf:9:14: error: "!~" is not a location modifier [location-modifier]
               9 |     location !~ /x { }
                 |              ^~ use "=", "^~", "~", "~*" or none; put quotes around a path with spaces in it
            rules.conf:7:14: warning: a second location "@n", which is never reached [duplicate-location]
               7 |     location @n { }
                 |              ^~ remove one of them
            rules.conf:6:14: note: the first is here
               6 |     location @n { location /x { } }
                 |              ^~
            rules.conf:10:49: warning: a second location "~ y", which is never reached [duplicate-location]
              10 |     location ~ y { } location ~* y { } location ~y { }
                 |                                                 ^~ remove one of them
            rules.conf:10:16: note: the first is here
              10 |     location ~ y { } location ~* y { } location ~y { }
                 |                ^

            """#
        )
    }
}
