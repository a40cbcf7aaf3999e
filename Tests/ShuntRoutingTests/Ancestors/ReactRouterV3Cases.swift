extension AncestorCases {
    /// The behaviour of ReactRouterV3, restated from its tests and documents; `AncestorCase` explains the form.
    static let reactRouterV3 = #"""
        ---
        R /:id
        R3-001 ~ /path -> /:id ; id=path
        R3-003 ~ /path+more -> /:id ; id=path+more
        R3-004 ~ /path%20more -> /:id ; id=path more
        R3-006 ~ /path/ -> /:id ; id=path
        ---
        R /**/g
        R3-007 ~ /greedy/is/good/g -> /**/g ; splat=greedy/is/good
        ---
        R toString
        R3-009 ~ /toString -> toString
        ---
        R /
        R3-010 ~ /path -> / ; remaining:/path
        ---
        R /a/b/c
        R3-012 ~ /d/e/f -> nothing
        ---
        R /comments/(:id)/edit
        R3-014 ~ /comments/123/edit -> /comments/(:id)/edit ; id=123
        ---
        R /comments(/:id)/edit
        R3-017 ~ /comments/edit -> /comments(/:id)/edit ; -id
        ---
        R /comments/:id.:ext/edit
        R3-018 ~ /users/123 -> nothing
        R3-019 ~ /comments/foo.bar/edit -> /comments/:id.:ext/edit ; id=foo ; ext=bar
        ---
        R /one, two
        R3-020 ~ /one, two -> /one, two
        R3-021 ~ /one two -> nothing
        ---
        R /comments/:id/edit now
        R3-022 ~ /comments/abc/edit now -> /comments/:id/edit now ; id=abc
        ---
        R /foo/:component
        R3-023 ~ /foo/%7Bfoo%24bar -> /foo/:component ; component={foo$bar
        ---
        R /files/*
        R3-024 ~ /files/my/photo.jpg -> /files/* ; splat=my/photo.jpg
        R3-025 ~ /files/my/photo.jpg.zip -> /files/* ; splat=my/photo.jpg.zip
        ---
        R /files/*.jpg
        R3-026 ~ /files/my/photo.jpg -> /files/*.jpg ; splat=my/photo
        R3-027 ~ /files/my/new%0Aline.jpg -> /files/*.jpg ; splat=my/new\nline
        R3-028 ~ /files/my/photo.png -> nothing
        ---
        R /**/f
        R3-029 ~ /foo/bar/f -> /**/f ; splat=foo/bar
        ---
        R /archive(/:name)
        R3-033 ~ /archiv -> nothing
        ---
        R /:query/with/:domain
        R3-035 ~ /foo.ap/with/foo -> /:query/with/:domain ; query=foo.ap ; domain=foo
        R3-036 ~ /foo.ap/with/foo.app -> /:query/with/:domain ; query=foo.ap ; domain=foo.app
        ---
        R /comments\(test\)
        R3-039 ~ /commentstest -> nothing
        ---
        R /comments\(:id\)
        R3-040 ~ /comments(123) -> /comments\(:id\) ; id=123
        R3-041 ~ /commentsedit -> nothing
        ---
        R /comments(/:id)/edit
        R3-045 G id=123 -> /comments/123/edit
        R3-046 G  -> /comments/edit
        ---
        R /search(/forum/:id)
        R3-047 G id=123 -> /search/forum/123
        R3-048 G  -> /search
        ---
        R /search(/forum/:forum_id)(/comment/:comment_id)
        R3-050 G comment_id=456 -> /search/comment/456
        ---
        R /search(/forum/:forum_id/comment/:comment_id)
        R3-051 G forum_id=123 -> /search
        ---
        R /search(/forum/:forum_id(/comment/:comment_id))
        R3-052 G forum_id=123 -> /search/forum/123
        ---
        R /comments\(:id\)
        R3-055 G id=123 -> /comments(123)
        ---
        R /comments/:id/edit
        R3-056 G id=0 -> /comments/0/edit
        R3-058 G id=the/id -> /comments/the%2Fid/edit
        ---
        R /a/*/d
        R3-060 G splat=b/c -> /a/b/c/d
        ---
        R /a/**/d
        R3-062 G splat=b/c/d -> /a/b/c/d/d
        ---
        R /comments/:id/edit
        R3-065 G  -> !
        """#
}
