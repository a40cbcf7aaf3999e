extension AncestorCases {
    /// The behaviour of HHRouter, restated from its tests and documents; `AncestorCase` explains the form.
    static let hhrouter = #"""
        ---
        R /user/add/ || name block
        HH-001 ~ /user/add/?a=1&b=2 -> block ; a=1 ; b=2
        ---
        R /user/:userId/ || name UserViewController
        R /story/:storyId/ || name StoryViewController
        R /user/:userId/story/ || name StoryListViewController
        HH-003 ~ /user/1/story/ -> StoryListViewController ; userId=1
        HH-004 ~ /user/1/?a=b&c=d -> UserViewController ; route=/user/1/?a=b&c=d ; userId=1 ; a=b ; c=d
        ---
        R /test/:someId/ || name StoryListViewController
        HH-005 ~ /test/7777777?aa=11&bb=22 -> StoryListViewController ; someId=7777777 ; aa=11 ; bb=22
        HH-006 ~ /test/7777777 -> StoryListViewController ; someId=7777777
        HH-007 ~ /test/7777777/?aa=11&bb=22 -> StoryListViewController ; someId=7777777 ; aa=11 ; bb=22
        ---
        O app_schemes hhrouter
        R /user/:userId/ || name UserViewController
        R /story/:storyId/ || name StoryViewController
        R /user/:userId/story/ || name StoryListViewController
        HH-009 ~ hhrouter://user/1/ -> UserViewController ; userId=1 ; route=/user/1/
        HH-010 ~ hhrouter:/user/1/?a=b&c=d -> UserViewController ; userId=1 ; a=b ; c=d
        HH-011 ~ hhrouter://user/1/?a=b&c=d -> UserViewController ; userId=1 ; a=b ; c=d
        HH-012 ~ /user/1?a=b&c=d -> UserViewController ; userId=1 ; a=b ; c=d
        HH-013 ~ hhrouter:/user/1?a=b&c=d -> UserViewController ; userId=1 ; a=b ; c=d
        HH-014 ~ hhrouter://user/1?a=b&c=d -> UserViewController ; userId=1 ; a=b ; c=d
        ---
        R /user/:userId/ || name UserViewController
        R /story/:storyId/ || name StoryViewController
        R /user/:userId/story/ || name StoryListViewController
        HH-015 ~ /user/1/?tabIndex=3 -> UserViewController ; tabIndex=3 ; userId=1
        ---
        O app_schemes hhrouter20
        R /user/:userId/ || name UserViewController
        R /story/:storyId/ || name StoryViewController
        R /user/:userId/story/ || name StoryListViewController
        HH-016 ~ hhrouter20://user/1/ -> UserViewController ; userId=1 ; route=/user/1/
        ---
        R /user/:userId/ || name UserViewController
        R /story/:storyId/ || name StoryViewController
        R /user/:userId/story/ || name StoryListViewController
        R /user/add/ || name block
        HH-017 ~ /user/add/?a=1&b=2 -> block ; a=1 ; b=2 ; route=/user/add/?a=1&b=2
        HH-019 ~ /user/add/ -> block
        HH-020 ~ /nope -> nothing
        HH-021 ~ /user -> nothing
        ---
        R /user/:userId/ || name UserViewController
        R /story/:storyId/ || name StoryViewController
        R /user/:userId/story/ || name StoryListViewController
        HH-023 ~ /user/1/?userId=9 -> UserViewController ; userId=9
        # a value may hold =, and escapes are decoded
        HH-024 ~ /user/1/?q=a=b&flag&e=%20x -> UserViewController ; userId=1 ; q=a=b ; e= x
        HH-025 ~ /user/a%20b/ -> UserViewController ; userId=a b
        ---
        O app_schemes hhrouter
        R /user/:userId/ || name UserViewController
        R /story/:storyId/ || name StoryViewController
        R /user/:userId/story/ || name StoryListViewController
        HH-026 ~ other://user/1/ -> nothing
        """#
}
