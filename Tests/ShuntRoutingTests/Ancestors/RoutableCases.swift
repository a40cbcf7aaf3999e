extension AncestorCases {
    /// The behaviour of Routable, restated from its tests and documents; `AncestorCase` explains the form.
    static let routable = #"""
        ---
        R users/:user_id
        RT-001 ~ users/4 -> users/:user_id ; user_id=4
        ---
        R users/:user_id/:user_name
        RT-002 ~ users/4/clay -> users/:user_id/:user_name ; user_id=4 ; user_name=clay
        RT-003 ~ users//clay -> users/:user_id/:user_name ; user_id= ; user_name=clay
        RT-004 ~ users/ /clay -> users/:user_id/:user_name ; user_id=  ; user_name=clay
        ---
        R users
        RT-014 ~ users -> users ; ^keyOne
        RT-015 ~ users -> users ; ^epObject
        ---
        R users/:user_id
        RT-016 ~ users/4 -> users/:user_id ; user_id=4 ; ^epObject
        ---
        R users
        RT-017 ~ users -> users
        ---
        R users/:user_id
        RT-018 ~ users/4 -> users/:user_id ; user_id=4
        ---
        R users
        RT-020 ~ users -> users ; ^epObject
        ---
        R firstLevel/secondLevel/users/:id || name child-router route
        RT-021 ~ firstLevel/secondLevel/users/1234 -> child-router route ; id=1234
        ---
        R users/:user_id
        # a query is a query
        RT-022 ~ users/4?x=1 -> users/:user_id ; user_id=4 ; x=1
        RTA-001 ~ users/4 -> users/:user_id ; user_id=4
        ---
        R callback
        RTA-005 ~ callback -> callback
        ---
        R callback/:id
        RTA-006 ~ callback/123 -> callback/:id ; id=123
        RTA-007 ~ callback/123 -> callback/:id
        ---
        R /users
        RTA-008 ~ /users -> /users
        ---
        R /users/:id
        RTA-011 ~ /users/123?key1=val+1&key2=val%202 -> /users/:id ; key1=val 1 ; key2=val 2
        RTA-012 ~ /users/123?val1 -> /users/:id ; val1
        ---
        R /users/:user_id
        RTA-013 ~ /users/4 -> /users/:user_id ; user_id=4
        """#
}
