extension AncestorCases {
    /// The behaviour of ReactRouter, restated from its tests and documents; `AncestorCase` explains the form.
    static let reactRouter = #"""
        ---
        R /
        RR-001 = / -> /
        ---
        R users
        RR-002 ~ /usersblah -> nothing
        RR-003 = /users -> users
        RR-004 = /users/ -> users
        ---
        R /users
        RR-005 ~ /usersblah -> nothing
        RR-006 = /users -> /users
        ---
        R users/
        RR-008 ~ /usersblah -> nothing
        RR-009 = /users -> users/
        ---
        R users/mj
        RR-012 = /users/mj/ -> users/mj
        ---
        R /users/mj
        RR-013 = /users/mj -> /users/mj
        ---
        O end no
        R /users
        RR-017 = /users -> /users
        RR-019 = /users/mj -> /users
        ---
        O end no
        R /users/
        RR-021 = /users -> /users/
        RR-022 = /users/ -> /users/
        RR-023 = /users/mj -> /users/
        RR-024 = /users/mj/ -> /users/
        ---
        O end no
        R /users
        RR-025 ~ / -> nothing
        RR-026 ~ /users2 -> nothing
        RR-030 ~ /users.2 -> nothing
        ---
        O end no
        R /
        RR-032 = /users -> /
        RR-035 = /users/mj/ -> /
        ---
        O case_sensitive yes
        R /SystemDashboard
        RR-037 = /SystemDashboard -> /SystemDashboard
        RR-038 ~ /systemDashboard -> nothing
        ---
        R /files/*
        RR-039 = /files/mj.jpg -> /files/* ; *=mj.jpg
        RR-040 = /files/ -> /files/* ; *=
        RR-041 = /files -> /files/* ; *=
        ---
        R /:lang?/user/:id
        RR-043 = /user/123 -> /:lang?/user/:id ; -lang ; id=123
        ---
        R /user/:lang?/:id
        RR-044 = /user/en/123 -> /user/:lang?/:id ; lang=en ; id=123
        ---
        R /user/:id/:lang?
        RR-046 = /user/123/en -> /user/:id/:lang? ; id=123 ; lang=en
        ---
        R /:lang?/user/:id?
        RR-048 = /user -> /:lang?/user/:id? ; -lang ; -id
        ---
        R /test_route/:part?
        RR-051 ~ /test_route_more -> nothing
        ---
        R /test_route/:part?/edit
        RR-052 ~ /test_route_more/edit -> nothing
        ---
        R /api/:version?
        RR-054 ~ /api123 -> nothing
        ---
        R /test_route/:part?
        RR-056 = /test_route/more -> /test_route/:part? ; part=more
        RR-057 = /test_route -> /test_route/:part? ; -part
        RR-058 = /test_route/ -> /test_route/:part? ; -part
        ---
        R /test_route/:part?/edit
        RR-059 = /test_route/more/edit -> /test_route/:part?/edit ; part=more
        ---
        R /school?/user/:id
        RR-061 = /school/user/123 -> /school?/user/:id ; id=123
        RR-062 = /user/123 -> /school?/user/:id ; id=123
        ---
        R /school/user?/:id
        RR-063 = /school/user/123 -> /school/user?/:id ; id=123
        ---
        R /school/user/admin?
        RR-065 = /school/user/admin -> /school/user/admin?
        RR-066 = /school/user -> /school/user/admin?
        ---
        R /school?/user/admin?
        RR-068 = /user/admin -> /school?/user/admin?
        RR-069 = /school/user/admin -> /school?/user/admin?
        ---
        R /one?/two?
        RR-070 = / -> /one?/two?
        RR-071 = /one -> /one?/two?
        RR-072 = /two -> /one?/two?
        ---
        R /one?/two?/:three?
        RR-075 = /one/two -> /one?/two?/:three? ; -three
        ---
        R /school?abc/user/:id
        RR-077 ~ /abc/user/123 -> nothing
        ---
        R /school?abc
        RR-078 ~ /abc -> nothing
        ---
        R /*
        RR-084 ~ / -> /* ; base:/
        RR-087 ~ /users/mj -> /* ; base:/
        RR-088 ~ /users/mj/ -> /* ; base:/
        ---
        R /sitemap/:lang?.xml
        RR-092 = /sitemap/.xml -> /sitemap/:lang?.xml ; -lang
        RR-093 = /sitemap/en.xml -> /sitemap/:lang?.xml ; lang=en
        ---
        R /
        R :id
        RR-095 ~ / -> /
        ---
        R /groups/main/users/me
        R /groups/:groupId/users/me
        R /groups/:groupId/users/:userId
        R /groups/:groupId/users/*
        R /groups/main/users
        R /groups/:groupId/users
        R /groups/main
        R /groups/:groupId
        R /groups
        R /files/*
        R /files
        R /:one/:two/:three/:four/:five
        R /
        R *
        RR-097 ~ /groups/main/users/me -> /groups/main/users/me
        RR-101 ~ /groups/main/users -> /groups/main/users
        RR-106 ~ /files/some/long/path -> /files/*
        RR-107 ~ /files -> /files
        RR-108 ~ /one/two/three/four/five -> /:one/:two/:three/:four/:five
        RR-109 ~ / -> /
        ---
        R courses/:id/subjects
        R courses/:id
        R courses/new
        R courses
        R courses/*
        R courses/react-fundamentals
        R courses/advanced-react
        R /
        R *
        RR-113 ~ /courses/routing/subjects -> courses/:id/subjects
        RR-114 ~ /courses/new -> courses/new
        RR-115 ~ /courses/whatever/path -> courses/*
        RR-116 ~ /courses/react-fundamentals -> courses/react-fundamentals
        RR-118 ~ / -> /
        ---
        R :page
        R page
        RR-120 ~ /page -> page
        ---
        R :foo-bar
        R foo-bar
        RR-121 ~ /foo-bar -> foo-bar
        RR-122 ~ /whatever -> :foo-bar ; foo-bar=whatever
        ---
        R /sitemap.xml
        R /:lang.xml
        RR-124 ~ /sitemap.xml -> /sitemap.xml
        ---
        R /:b
        R /:a.json
        RR-127 ~ /thing.json -> /:a.json ; a=thing
        ---
        R users/:id/files/*
        RR-130 ~ /users/mj/filesssss/secrets.txt -> nothing
        ---
        R /prefix:id
        RR-131 ~ /prefix:id -> /prefix:id
        RR-132 ~ /prefixabc -> nothing
        RR-133 ~ /prefix/abc -> nothing
        ---
        R /en?/abc
        RR-137 ~ /en/abc/bar -> nothing
        ---
        R /nested/one?/two?
        RR-138 = /nested -> /nested/one?/two?
        RR-139 = /nested/one -> /nested/one?/two?
        RR-140 = /nested/one/two -> /nested/one?/two?
        RR-141 ~ /nested/one/two/baz -> nothing
        ---
        R /nested/one?/two/three?
        RR-143 ~ /nested/one -> nothing
        RR-144 = /nested/two -> /nested/one?/two/three?
        RR-146 = /nested/one/two/three -> /nested/one?/two/three?
        ---
        R /nested/:one?/:two?/:three?/:four?
        RR-148 = /nested/foo -> /nested/:one?/:two?/:three?/:four? ; one=foo
        RR-149 = /nested/foo/bar -> /nested/:one?/:two?/:three?/:four? ; one=foo ; two=bar
        RR-150 = /nested/foo/bar/baz -> /nested/:one?/:two?/:three?/:four? ; one=foo ; two=bar ; three=baz
        RR-152 ~ /nested/foo/bar/baz/qux/zod -> nothing
        ---
        R /nested/:one?/two/:three?
        RR-155 = /nested/two -> /nested/:one?/two/:three?
        ---
        R /
        RR-158 G  -> /
        ---
        R /courses
        RR-159 G  -> /courses
        ---
        R /courses/:id/student/:studentId
        RR-161 G id=routing; studentId=matt -> /courses/routing/student/matt
        ---
        R /*
        RR-164 G  -> /
        ---
        R /courses/:name
        RR-166 G name=*foo -> /courses/*foo
        RR-168 G name=foo*; *=splat_should_not_be_added -> /courses/foo*
        ---
        R /courses/:foo-bar
        RR-170 G foo-bar=baz -> /courses/baz
        ---
        R /courses/*
        RR-172 G  -> /courses
        ---
        R /:one?/:two?/:three?
        RR-174 G one=uno; two=dos -> /uno/dos
        RR-176 G two=dos -> /dos
        RR-177 G two=dos; three=tres -> /dos/tres
        ---
        R /one?/two?/:three?
        RR-178 G  -> /one/two
        RR-179 G three=tres -> /one/two/tres
        ---
        R /one?/:two?/three/:four/*
        RR-180 G four=cuatro -> /one/three/cuatro
        ---
        R /courses/:id
        RR-183 G id=a b?c#d%e -> /courses/a%20b%3Fc%23d%25e
        RR-184 G id=café… -> /courses/caf%C3%A9%E2%80%A6
        ---
        R /releases/:version
        RR-186 G version=1.0.0+1 -> /releases/1.0.0+1
        ---
        R /files/:name.tar.gz
        RR-188 G name=archive -> /files/archive.tar.gz
        ---
        R /foo:bar
        RR-189 G bar=baz -> /foo:bar
        ---
        R :foo
        RR-191 G  -> !
        """#
}
