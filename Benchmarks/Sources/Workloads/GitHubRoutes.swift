/// The 203 routes of GitHub's REST interface, version 3, as benchmarks of routers have used them since 2014.
public enum GitHubRoutes {
    /// One route.
    public struct Route: Sendable {
        /// The method.
        public var method: String
        /// The pattern, with parameters as `:name`.
        public var pattern: String

        /// A path that the pattern matches: each parameter has its name as its value.
        public var path: String { pattern.replacing(":", with: "") }
    }

    /// All routes, by method.
    public static let all: [Route] = text.split(separator: "\n")
        .flatMap { line in
            let words = line.split(separator: " ")
            return words.dropFirst().map { Route(method: String(words[0]), pattern: String($0)) }
        }

    /// All routes as directives of a rule file, named `route-0` and so on.
    public static var directives: String {
        all.enumerated().map { "route \($1.method) \($1.pattern) route-\($0);\n" }.joined()
    }

    /// A line begins with the method of the patterns after it.
    private static let text = """
        DELETE /applications/:client_id/tokens /applications/:client_id/tokens/:access_token
        DELETE /authorizations/:id /gists/:id /gists/:id/star /notifications/threads/:id/subscription
        DELETE /orgs/:org/members/:user /orgs/:org/public_members/:user /repos/:owner/:repo
        DELETE /repos/:owner/:repo/collaborators/:user /repos/:owner/:repo/comments/:id
        DELETE /repos/:owner/:repo/downloads/:id /repos/:owner/:repo/hooks/:id
        DELETE /repos/:owner/:repo/issues/:number/labels /repos/:owner/:repo/issues/:number/labels/:name
        DELETE /repos/:owner/:repo/keys/:id /repos/:owner/:repo/labels/:name
        DELETE /repos/:owner/:repo/milestones/:number /repos/:owner/:repo/releases/:id
        DELETE /repos/:owner/:repo/subscription /teams/:id /teams/:id/members/:user
        DELETE /teams/:id/repos/:owner/:repo /user/emails /user/following/:user /user/keys/:id
        DELETE /user/starred/:owner/:repo /user/subscriptions/:owner/:repo
        GET /applications/:client_id/tokens/:access_token /authorizations /authorizations/:id /emojis /events
        GET /feeds /gists /gists/:id /gists/:id/star /gitignore/templates /gitignore/templates/:name /issues
        GET /legacy/issues/search/:owner/:repository/:state/:keyword /legacy/repos/search/:keyword
        GET /legacy/user/email/:email /legacy/user/search/:keyword /meta /networks/:owner/:repo/events
        GET /notifications /notifications/threads/:id /notifications/threads/:id/subscription /orgs/:org
        GET /orgs/:org/events /orgs/:org/issues /orgs/:org/members /orgs/:org/members/:user
        GET /orgs/:org/public_members /orgs/:org/public_members/:user /orgs/:org/repos /orgs/:org/teams
        GET /rate_limit /repos/:owner/:repo /repos/:owner/:repo/assignees
        GET /repos/:owner/:repo/assignees/:assignee /repos/:owner/:repo/branches
        GET /repos/:owner/:repo/branches/:branch /repos/:owner/:repo/collaborators
        GET /repos/:owner/:repo/collaborators/:user /repos/:owner/:repo/comments
        GET /repos/:owner/:repo/comments/:id /repos/:owner/:repo/commits /repos/:owner/:repo/commits/:sha
        GET /repos/:owner/:repo/commits/:sha/comments /repos/:owner/:repo/contributors
        GET /repos/:owner/:repo/downloads /repos/:owner/:repo/downloads/:id /repos/:owner/:repo/events
        GET /repos/:owner/:repo/forks /repos/:owner/:repo/git/blobs/:sha /repos/:owner/:repo/git/commits/:sha
        GET /repos/:owner/:repo/git/refs /repos/:owner/:repo/git/tags/:sha /repos/:owner/:repo/git/trees/:sha
        GET /repos/:owner/:repo/hooks /repos/:owner/:repo/hooks/:id /repos/:owner/:repo/issues
        GET /repos/:owner/:repo/issues/:number /repos/:owner/:repo/issues/:number/comments
        GET /repos/:owner/:repo/issues/:number/events /repos/:owner/:repo/issues/:number/labels
        GET /repos/:owner/:repo/keys /repos/:owner/:repo/keys/:id /repos/:owner/:repo/labels
        GET /repos/:owner/:repo/labels/:name /repos/:owner/:repo/languages /repos/:owner/:repo/milestones
        GET /repos/:owner/:repo/milestones/:number /repos/:owner/:repo/milestones/:number/labels
        GET /repos/:owner/:repo/notifications /repos/:owner/:repo/pulls /repos/:owner/:repo/pulls/:number
        GET /repos/:owner/:repo/pulls/:number/comments /repos/:owner/:repo/pulls/:number/commits
        GET /repos/:owner/:repo/pulls/:number/files /repos/:owner/:repo/pulls/:number/merge
        GET /repos/:owner/:repo/readme /repos/:owner/:repo/releases /repos/:owner/:repo/releases/:id
        GET /repos/:owner/:repo/releases/:id/assets /repos/:owner/:repo/stargazers
        GET /repos/:owner/:repo/stats/code_frequency /repos/:owner/:repo/stats/commit_activity
        GET /repos/:owner/:repo/stats/contributors /repos/:owner/:repo/stats/participation
        GET /repos/:owner/:repo/stats/punch_card /repos/:owner/:repo/statuses/:ref
        GET /repos/:owner/:repo/subscribers /repos/:owner/:repo/subscription /repos/:owner/:repo/tags
        GET /repos/:owner/:repo/teams /repositories /search/code /search/issues /search/repositories
        GET /search/users /teams/:id /teams/:id/members /teams/:id/members/:user /teams/:id/repos
        GET /teams/:id/repos/:owner/:repo /user /user/emails /user/followers /user/following
        GET /user/following/:user /user/issues /user/keys /user/keys/:id /user/orgs /user/repos /user/starred
        GET /user/starred/:owner/:repo /user/subscriptions /user/subscriptions/:owner/:repo /user/teams /users
        GET /users/:user /users/:user/events /users/:user/events/orgs/:org /users/:user/events/public
        GET /users/:user/followers /users/:user/following /users/:user/following/:target_user
        GET /users/:user/gists /users/:user/keys /users/:user/orgs /users/:user/received_events
        GET /users/:user/received_events/public /users/:user/repos /users/:user/starred
        GET /users/:user/subscriptions
        POST /authorizations /gists /gists/:id/forks /markdown /markdown/raw /orgs/:org/repos /orgs/:org/teams
        POST /repos/:owner/:repo/commits/:sha/comments /repos/:owner/:repo/forks /repos/:owner/:repo/git/blobs
        POST /repos/:owner/:repo/git/commits /repos/:owner/:repo/git/refs /repos/:owner/:repo/git/tags
        POST /repos/:owner/:repo/git/trees /repos/:owner/:repo/hooks /repos/:owner/:repo/hooks/:id/tests
        POST /repos/:owner/:repo/issues /repos/:owner/:repo/issues/:number/comments
        POST /repos/:owner/:repo/issues/:number/labels /repos/:owner/:repo/keys /repos/:owner/:repo/labels
        POST /repos/:owner/:repo/merges /repos/:owner/:repo/milestones /repos/:owner/:repo/pulls
        POST /repos/:owner/:repo/releases /repos/:owner/:repo/statuses/:ref /user/emails /user/keys
        POST /user/repos
        PUT /gists/:id/star /notifications /notifications/threads/:id/subscription
        PUT /orgs/:org/public_members/:user /repos/:owner/:repo/collaborators/:user
        PUT /repos/:owner/:repo/issues/:number/labels /repos/:owner/:repo/notifications
        PUT /repos/:owner/:repo/pulls/:number/comments /repos/:owner/:repo/pulls/:number/merge
        PUT /repos/:owner/:repo/subscription /teams/:id/members/:user /teams/:id/repos/:owner/:repo
        PUT /user/following/:user /user/starred/:owner/:repo /user/subscriptions/:owner/:repo
        """
}
