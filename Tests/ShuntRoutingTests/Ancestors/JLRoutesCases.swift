extension AncestorCases {
    /// The behaviour of JLRoutes, restated from its tests and documents; `AncestorCase` explains the form.
    static let jlroutes = #"""
        ---
        R /test
        R /user/view/:userID
        R /:object/:action/:primaryKey
        R /
        R /:
        R /interleaving/:param1/foo/:param2
        R /xyz/wildcard/*
        R /route/:param/*
        R /required/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam)
        JL-002 = tests:/ -> /
        JL-003 = tests:// -> /
        JL-004 = tests://test? -> /test
        JL-006 = tests://test -> /test
        JL-007 = tests://?key=value -> / ; key=value
        JL-009 = tests://user/view/joeldev/ -> /user/view/:userID ; userID=joeldev
        JL-010 = tests://user/view/joel%20levin -> /user/view/:userID ; userID=joel levin
        JL-016 = tests://xyz/wildcard -> /xyz/wildcard/* ; *=
        JL-019 = tests://doesnt/exist/and/wont/match -> nothing
        JL-021 = tests://required/mustExist -> /required/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam) ; requiredParam=mustExist
        JL-023 = tests://required/mustExist/optional/mightExist/moreOptional/mightExistToo -> /required/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam) ; requiredParam=mustExist ; optionalParam=mightExist ; moreOptionalParam=mightExistToo
        ---
        R /foo/:routeParam
        JL-024 = /foo/bar -> /foo/:routeParam ; routeParam=bar ; ^stringParam ; ^nonStringParam
        ---
        R /user#/view/:userID
        R /:object#/:action/:primaryKey
        R /interleaving/:param1#/foo/:param2
        R /xyz/wildcard#/*
        R /route#/:param/*
        R /required#/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam)
        JL-026 = tests://user#/view/joeldev -> /user#/view/:userID ; userID=joeldev
        JL-027 = tests://user#/view/joeldev/ -> /user#/view/:userID ; userID=joeldev
        JL-028 = tests://user#/view/joel%20levin -> /user#/view/:userID ; userID=joel levin
        JL-031 = tests://user#/view/joeldev?userID=evilPerson&search=evilSearch&evilThing=evil -> /user#/view/:userID ; userID=joeldev ; search=evilSearch ; evilThing=evil
        JL-032 = tests://user?search=niceSearch&go=home#/view/joeldev?userID=evilPerson&&evilThing=evil -> /user#/view/:userID ; userID=joeldev ; search=niceSearch ; go=home ; evilThing=evil
        JL-033 = tests://post#/edit/123 -> /:object#/:action/:primaryKey ; object=post ; action=edit ; primaryKey=123
        JL-034 = tests://interleaving/paramvalue1#/foo/paramvalue2 -> /interleaving/:param1#/foo/:param2 ; param1=paramvalue1 ; param2=paramvalue2
        JL-035 = tests://xyz/wildcard# -> /xyz/wildcard#/* ; *=
        JL-039 = tests://required#/mustExist -> /required#/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam) ; requiredParam=mustExist
        JL-040 = tests://required#/mustExist/optional/mightExist -> /required#/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam) ; requiredParam=mustExist ; optionalParam=mightExist
        ---
        R /test/priority/:level || name param
        R /test/priority/high || name static || priority 20
        JL-044 ~ tests://test/priority/high -> static
        ---
        R /:foo/bar/:baz || name bar || priority 20 || scheme priorityTest
        R /:foo/things/:baz || name things || priority 10 || scheme priorityTest
        R /:foo/:baz || name two || priority 1 || scheme priorityTest
        JL-045 ~ priorityTest://stuff/things/foo -> things ; foo=stuff ; baz=foo
        JL-046 ~ priorityTest://one/two -> two ; foo=one ; baz=two
        JL-047 ~ priorityTest://stuff/bar/baz -> bar ; foo=stuff ; baz=baz
        ---
        R /return/:value || name ret || accept value=yes
        JL-048 ~ tests://return/no -> nothing
        ---
        R /test || name g
        R /test || name n1 || scheme namespaceTest1
        R /test || name n2 || scheme namespaceTest2
        JL-050 ~ tests://test -> g
        JL-052 ~ namespaceTest2://test -> n2
        ---
        O fallback_to_global namespaceTest2
        R /user/view/:userID || name g
        R /test || name n1 || scheme namespaceTest1
        R /test || name n2 || scheme namespaceTest2
        JL-053 ~ namespaceTest1://user/view/joeldev -> nothing
        JL-054 = namespaceTest2://user/view/joeldev -> g ; userID=joeldev
        ---
        R /test
        JL-055 ~ tests:/test -> /test
        JL-056 ~ tests:/dfjkbsdkjfbskjdfb/sdasd -> nothing
        ---
        R /: || name g
        R /test1 || name t1 || scheme namespaceTest3
        R /test2 || name t2 || scheme namespaceTest3
        JL-059 ~ namespaceTest3://test1 -> t1
        ---
        R /: || name g
        R /test2 || name t2 || scheme namespaceTest3
        JL-060 ~ namespaceTest3://test1 -> nothing
        ---
        O decode_plus no
        R /user/view/:userID
        JL-063 = tests://user/view/joel%21levin -> /user/view/:userID ; userID=joel!levin
        JL-064 = tests://user/view/joel%23levin -> /user/view/:userID ; userID=joel#levin
        JL-065 = tests://user/view/joel%24levin -> /user/view/:userID ; userID=joel$levin
        JL-068 = tests://user/view/joel%28levin -> /user/view/:userID ; userID=joel(levin
        JL-069 = tests://user/view/joel%29levin -> /user/view/:userID ; userID=joel)levin
        JL-070 = tests://user/view/joel%2Alevin -> /user/view/:userID ; userID=joel*levin
        JL-075 = tests://user/view/joel%3Dlevin -> /user/view/:userID ; userID=joel=levin
        JL-076 = tests://user/view/joel%3Flevin -> /user/view/:userID ; userID=joel?levin
        JL-078 = tests://user/view/joel%5Blevin -> /user/view/:userID ; userID=joel[levin
        JL-079 = tests://user/view/joel%5Dlevin -> /user/view/:userID ; userID=joel]levin
        ---
        R /user/view/:userID
        JL-080 = tests://user/view/joel%2Blevin -> /user/view/:userID ; userID=joel levin
        ---
        R /path/:thing(/new)(/anotherpath/:anotherthing)
        JL-090 ~ foo://path/abc/new/anotherpath/def -> /path/:thing(/new)(/anotherpath/:anotherthing) ; thing=abc ; anotherthing=def
        JL-091 ~ foo://path/foo/anotherpath/bar -> /path/:thing(/new)(/anotherpath/:anotherthing) ; thing=foo ; anotherthing=bar
        JL-092 ~ foo://path/yyy/new -> /path/:thing(/new)(/anotherpath/:anotherthing) ; thing=yyy
        JL-093 ~ foo://path/zzz -> /path/:thing(/new)(/anotherpath/:anotherthing) ; thing=zzz
        JL-094 ~ foo://path/zzz/anotherpath -> nothing
        ---
        R /(rest/)(app/):object/:id
        JL-095 ~ foo://rest/app/aaa/bbb -> /(rest/)(app/):object/:id ; object=aaa ; id=bbb
        JL-096 ~ foo://app/aaa/bbb -> /(rest/)(app/):object/:id ; object=aaa ; id=bbb
        JL-097 ~ foo://rest/aaa/bbb -> /(rest/)(app/):object/:id ; object=aaa ; id=bbb
        JL-098 ~ foo://aaa/bbb -> /(rest/)(app/):object/:id ; object=aaa ; id=bbb
        ---
        R /(rest/):object/(app/):id
        JL-100 ~ foo://aaa/app/bbb -> /(rest/):object/(app/):id ; object=aaa ; id=bbb
        JL-101 ~ foo://rest/aaa/bbb -> /(rest/):object/(app/):id ; object=aaa ; id=bbb
        ---
        R /web/:URLString
        R /web
        JL-103 ~ tests://web/http%3A%2F%2Ffoobar.com%2Fbaz -> /web/:URLString ; URLString=http://foobar.com/baz
        JL-104 ~ tests://web?URLString=http%3A%2F%2Ffoobar.com%2Fbaz -> /web ; URLString=http://foobar.com/baz
        ---
        R /test/foo
        JL-105 ~ tests://test/foo?key=1&key=2&key=3&text=hi&text=there -> /test/foo ; key=1 ; key=2 ; key=3 ; text=hi ; text=there
        ---
        JL-107 ~ tests://test -> nothing
        ---
        O treat_host_as_path_component no
        R /sign_in
        R /path/:pathid
        JL-109 ~ https://www.mydomain.com/path/3 -> /path/:pathid ; pathid=3
        ---
        O treat_host_as_path_component yes
        R /sign_in
        R /path/:pathid
        JL-110 ~ https://www.mydomain2.com/sign_in -> nothing
        ---
        O treat_host_as_path_component yes
        R /sign_in
        R /path/:pathid
        R /www.mydomain2.com/sign_in
        R /www.mydomain2.com/path/:pathid
        JL-113 ~ https://www.mydomain2.com/path/3 -> /www.mydomain2.com/path/:pathid ; pathid=3
        ---
        R /test
        JL-114 ~ /test -> /test
        JL-116 ~ /test -> /test
        ---
        R /test
        R /user/view/:userID
        R /:object/:action/:primaryKey
        R /
        R /:
        R /interleaving/:param1/foo/:param2
        R /xyz/wildcard/*
        R /route/:param/*
        R /required/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam)
        JL-121 = tests://user/view/joeldev?userID=evilPerson&search=evilSearch#search=blarg&userID=otherEvilPerson -> /user/view/:userID ; userID=joeldev ; search=blarg
        JL-122 = tests://user/view/joeldev?userID=evilPerson&search=evilSearch&evilThing=evil#search=blarg&userID=otherEvilPerson -> /user/view/:userID ; userID=joeldev ; search=blarg ; ^evilThing
        JL-123 = tests://user/view/joeldev?userID=evilPerson&search=evilSearch&evilThing=evil#userID=otherEvilPerson -> /user/view/:userID ; userID=joeldev ; search=evilSearch ; ^evilThing
        ---
        R /user#/view/:userID
        R /:object#/:action/:primaryKey
        R /interleaving/:param1#/foo/:param2
        R /xyz/wildcard#/*
        R /route#/:param/*
        R /required#/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam)
        JL-124 = tests://user#/view/joeldev?userID=evilPerson&search=evilSearch&evilThing=evil -> /user#/view/:userID ; userID=joeldev ; search=evilSearch ; ^evilThing
        ---
        R /wildcard/*
        JL-125 ~ tests://wildcard -> /wildcard/* ; *=
        ---
        R /test/slash/
        JL-128 ~ tests://test/slash/ -> /test/slash/
        ---
        R /user/view/:userID
        JL-129 ~ myapp://user/view/joeldev -> /user/view/:userID ; userID=joeldev
        ---
        R /:object/:action
        JL-131 = ele://post/halfrost?debug=true&foo=bar -> /:object/:action ; object=post ; action=halfrost ; debug=true ; foo=bar
        ---
        R /foo || name g
        R /foo || name thing || scheme thing
        R /foo || name stuff || scheme stuff
        R /global || name gg
        JL-134 ~ other://foo -> g
        ---
        R /wildcard/* || name w
        JL-138 ~ x://wildcard/joker/b -> w ; *=joker/b
        ---
        R /flag
        JL-142 = x://flag?verbose -> /flag
        """#
}
