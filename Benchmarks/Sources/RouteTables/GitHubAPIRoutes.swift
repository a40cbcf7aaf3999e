extension RouteSet {
    /// The 1,225 routes of GitHub's REST interface as of 2025 (ghapi 2.1.4, Apache License 2.0).
    public static let github = RouteSet(
        name: "github",
        compact: """
            0g/ 0g/advisories 1g/: 0gp/agents/repos/:/:/tasks 5g/: 1g/tasks 2g/: 0g/app 1ag/hook/config 2g/deliveries 3g/:
            4p/attempts 1g/installation-requests 1g/installations 2dg/: 3p/access_tokens 3du/suspended
            0p/app-manifests/:/conversions 0d/applications/:/grant 2adp/token 3p/scoped 0g/apps/: 0g/assignments/:
            2g/accepted_assignments 2g/grades 0g/classrooms 1g/: 2g/assignments 0g/codes_of_conduct 1g/:
            0p/credentials/revoke 0g/emojis 0gu/enterprises/:/actions/cache/retention-limit 4gu/storage-limit
            3gp/oidc/customization/properties/repo 7d/: 2gp/code-security/configurations 4adg/: 5p/attach 5u/defaults
            5g/repositories 4g/defaults 2g/copilot/metrics/reports/enterprise-1-day 5g/enterprise-28-day/latest
            5g/repos-1-day 5g/user-teams-1-day 5g/users-1-day 5g/users-28-day/latest 3u/policies/coding_agent
            5dp/organizations 2g/dependabot/alerts 3ag/repository-access 4u/default-level 2g/members/:/teams 2gp/teams
            3adg/: 4g/memberships 5dgu/: 5p/add 5p/remove 4g/organizations 5dgu/: 5p/add 5p/remove 0g/events 0g/feeds
            0gp/gists 1adg/: 2g/: 2gp/comments 3adg/: 2g/commits 2gp/forks 2dgu/star 1g/public 1g/starred
            0g/gitignore/templates 2g/: 0g/installation/repositories 1d/token 0g/issues 0g/licenses 1g/: 0p/markdown 1p/raw
            0g/marketplace_listing/accounts/: 1g/plans 2g/:/accounts 1g/stubbed/accounts/: 2g/plans 3g/:/accounts 0g/meta
            0g/networks/:/:/events 0gu/notifications 1adg/threads/: 3dgu/subscription 0g/octocat 0g/organizations
            1gu/:/actions/cache/retention-limit 4gu/storage-limit 2g/settings/billing/ai_credit/usage 4gp/budgets 5adg/:
            4g/premium_request/usage 4g/usage 5g/summary 0adg/orgs/: 2p/:/: 2g/actions/cache/usage 4g/usage-by-repository
            3gp/hosted-runners 4adg/: 4g/images/custom 6dg/: 7g/versions 8dg/: 5g/github-owned 5g/partner 4g/limits
            4g/machine-sizes 4g/platforms 3gp/oidc/customization/properties/repo 7d/: 5gu/sub 3gu/permissions
            4gu/artifact-and-log-retention 4gu/fork-pr-contributor-approval 4gu/fork-pr-workflows-private-repos
            4gu/repositories 5du/: 4gu/selected-actions 4gu/self-hosted-runners 5gu/repositories 6du/: 4gu/workflow
            3gp/runner-groups 4adg/: 5g/hosted-runners 5gu/repositories 6du/: 5gu/runners 6du/: 3g/runners 4dg/:
            5dgpu/labels 6d/: 4g/deprecations/: 4g/downloads 4p/generate-jitconfig 4p/registration-token 4p/remove-token
            3g/secrets 4dgu/: 5gu/repositories 6du/: 4g/public-key 3gp/variables 4adg/: 5gu/repositories 6du/:
            2g/agents/secrets 4dgu/: 5gu/repositories 6du/: 4g/public-key 3gp/variables 4adg/: 5gu/repositories 6du/:
            2g/artifacts/:/metadata/deployment-records 5g/storage-records 3p/metadata/deployment-record 5p/cluster/: 7p/jobs
            8g/: 4p/storage-record 2dg/attestations/: 3p/bulk-list 3p/delete-request 3d/digest/: 3g/repositories 2g/blocks
            3dgu/: 2gp/campaigns 3adg/: 2g/code-scanning/alerts 2gp/code-security/configurations 4adg/: 5p/attach
            5u/defaults 5g/repositories 4g/defaults 4d/detach 2g/codespaces 3u/access 4dp/selected_users 3g/secrets 4dgu/:
            5gu/repositories 6du/: 4g/public-key 2g/copilot/billing 4g/seats 4dp/selected_teams 4dp/selected_users
            3gu/coding-agent/permissions 5gu/repositories 6du/: 3gu/content_exclusion 3g/metrics/reports/organization-1-day
            5g/organization-28-day/latest 5g/repos-1-day 5g/user-teams-1-day 5g/users-1-day 5g/users-28-day/latest
            2gp/copilot-spaces 3dgu/: 4gp/collaborators 5du/:/: 4gp/resources 5dgu/: 2g/dependabot/alerts
            3ag/repository-access 4u/default-level 3g/secrets 4dgu/: 5gu/repositories 6du/: 4g/public-key
            2g/docker/conflicts 2g/events 2g/failed_invitations 2gp/hooks 3adg/: 4ag/config 4g/deliveries 5g/: 6p/attempts
            4p/pings 2g/insights/api/route-stats/:/: 4g/subject-stats 4g/summary-stats 5g/:/: 5g/users/: 4g/time-stats
            5g/:/: 5g/users/: 4g/user-stats/: 2g/installation 2g/installations 2dgu/interaction-limits
            3ag/pulls/creation-cap 2gp/invitations 3d/: 4g/teams 2gp/issue-fields 3ad/: 2gp/issue-types 3du/: 2g/issues
            2g/members 3dg/: 4g/codespaces 5d/: 6p/stop 4g/copilot 2dgu/memberships/: 2gp/migrations 3g/: 4dg/archive
            4d/repos/:/lock 4g/repositories 2g/organization-roles 3g/: 4g/teams 4g/users 3d/teams/: 5du/: 3d/users/: 5du/:
            2g/outside_collaborators 3du/: 2g/packages 3dg/:/: 5p/restore 5g/versions 6dg/: 7p/restore
            2gp/personal-access-token-requests 3p/: 4g/repositories 2gp/personal-access-tokens 3p/: 4g/repositories
            2gp/private-registries 3adg/: 3g/public-key 2g/projectsV2 3g/: 4p/drafts 4gp/fields 5g/: 4gp/items 5adg/:
            4p/views 5g/:/items 2ag/properties/schema 4dgu/: 3ag/values 2g/public_members 3dgu/: 2gp/repos 2gp/rulesets
            3dgu/: 4g/history 5g/: 3g/rule-suites 4g/: 2g/secret-scanning/alerts 3dgp/custom-patterns 4a/:
            3ag/pattern-configurations 2g/security-advisories 2g/security-managers 3du/teams/:
            2gu/settings/immutable-releases 4gu/repositories 5du/: 3gp/network-configurations 4adg/: 3g/network-settings/:
            2gp/teams 3adg/: 4g/invitations 4g/members 4dgu/memberships/: 4g/repos 5dgu/:/: 4g/teams 0g/rate_limit
            0adg/repos/:/: 3g/actions/artifacts 5dg/: 6g/: 4gu/cache/retention-limit 5gu/storage-limit 5g/usage 4dg/caches
            5d/: 4g/concurrency_groups 5g/: 4g/jobs/: 6g/logs 6p/rerun 4gu/oidc/customization/sub 4g/organization-secrets
            4g/organization-variables 4gu/permissions 5gu/access 5gu/artifact-and-log-retention
            5gu/fork-pr-contributor-approval 5gu/fork-pr-workflows-private-repos 5gu/selected-actions 5gu/workflow
            4g/runners 5dg/: 6dgpu/labels 7d/: 5g/deprecations/: 5g/downloads 5p/generate-jitconfig 5p/registration-token
            5p/remove-token 4g/runs 5dg/: 6g/approvals 6p/approve 6g/artifacts 6g/attempts/: 8g/jobs 8g/logs 6p/cancel
            6g/concurrency_groups 6p/deployment_protection_rule 6p/force-cancel 6g/jobs 6dg/logs 6gp/pending_deployments
            6p/rerun 6p/rerun-failed-jobs 6g/timing 4g/secrets 5dgu/: 5g/public-key 4gp/variables 5adg/: 4g/workflows 5g/:
            6u/disable 6p/dispatches 6u/enable 6g/runs 6g/timing 3g/activity 3g/agents/organization-secrets
            4g/organization-variables 4g/secrets 5dgu/: 5g/public-key 4gp/variables 5adg/: 3g/assignees 4g/: 3p/attestations
            4g/: 3gp/autolinks 4dg/: 3dgu/automated-security-fixes 3g/branches 4g/: 5dgu/protection 6dgp/enforce_admins
            6adg/required_pull_request_reviews 6dgp/required_signatures 6adg/required_status_checks 7dgpu/contexts
            6dg/restrictions 7dgpu/apps 7dgpu/teams 7dgpu/users 5p/rename 3p/check-runs 4ag/: 5g/annotations 5p/rerequest
            3p/check-suites 4g/: 5g/check-runs 5p/rerequest 4a/preferences 3g/code-quality/findings 5g/: 4ag/setup
            3g/code-scanning/alerts 5ag/: 6gp/autofix 7p/commits 6g/instances 4g/analyses 5dg/: 4g/codeql/databases 6dg/:
            5p/variant-analyses 6g/: 7g/repos/:/: 4ag/default-setup 4p/sarifs 5g/: 3g/code-security-configuration
            3g/codeowners/errors 3gp/codespaces 4g/devcontainers 4g/machines 4g/new 4g/permissions_check 4g/secrets 5dgu/:
            5g/public-key 3g/collaborators 4dgu/: 5g/permission 3g/comments 4adg/: 5gp/reactions 6d/: 3g/commits 4g/:
            5g/branches-where-head 5g/check-runs 5g/check-suites 5gp/comments 5g/pulls 5g/status 5g/statuses
            3g/community/profile 3g/compare/: 3dgu/contents/: 3g/contributors 3g/copilot/cloud-agent/configuration
            3g/dependabot/alerts 5ag/: 4g/secrets 5dgu/: 5g/public-key 3g/dependency-graph/compare/: 4g/sbom
            5g/fetch-report/: 5g/generate-report 4p/snapshots 3gp/deployments 4dg/: 5gp/statuses 6g/: 3p/dispatches
            3g/environments 4dgu/: 5gp/deployment-branch-policies 6dgu/: 5gp/deployment_protection_rules 6dg/: 6g/apps
            5g/secrets 6dgu/: 6g/public-key 5gp/variables 6adg/: 3g/events 3gp/forks 3p/generate 3p/git/blobs 5g/:
            4p/commits 5g/: 4g/matching-refs/: 4g/ref/: 4p/refs 5ad/: 4p/tags 5g/: 4p/trees 5g/: 3g/hash-algorithm 3gp/hooks
            4adg/: 5ag/config 5g/deliveries 6g/: 7p/attempts 5p/pings 5p/tests 3dgu/immutable-releases 3adgu/import
            4g/authors 5a/: 4g/large_files 4a/lfs 3g/installation 3dgu/interaction-limits 4dgu/pulls/bypass-list
            5ag/creation-cap 3g/invitations 4ad/: 3g/issue-types 3gp/issues 4ag/: 5dp/assignees 6g/: 5gp/comments
            5gp/dependencies/blocked_by 7d/: 6g/blocking 5g/events 5gpu/issue-field-values 6d/: 5dgpu/labels 6d/: 5du/lock
            5g/parent 5gp/reactions 6d/: 5d/sub_issue 5gp/sub_issues 6a/priority 5g/suggestions 6p/:/approve 7p/dismiss
            5g/timeline 4g/comments 5adg/: 6du/pin 6gp/reactions 7d/: 4g/events 5g/: 3gp/keys 4dg/: 3gp/labels 4adg/:
            3g/languages 3g/license 3p/merge-upstream 3p/merges 3gp/milestones 4adg/: 5g/labels 3gu/notifications
            3dgpu/pages 4gp/builds 5g/: 5g/latest 4p/deployments 5g/: 6p/cancel 4g/health
            3dgu/private-vulnerability-reporting 3ag/properties/values 3gp/pulls 4ag/: 5p/codespaces 5gp/comments
            6p/:/replies 5g/commits 5g/files 5gu/merge 5u/merge-async 6g/: 5dgp/requested_reviewers 5gp/reviews 6dgu/:
            7g/comments 7u/dismissals 7p/events 5u/update-branch 4g/comments 5adg/: 6gp/reactions 7d/: 3g/readme 4g/:
            3gp/releases 4adg/: 5gp/assets 5gp/reactions 6d/: 4adg/assets/: 4p/generate-notes 4g/latest 4g/tags/:
            3g/rules/branches/: 3gp/rulesets 4dgu/: 5g/history 6g/: 4g/rule-suites 5g/: 3g/secret-scanning/alerts 5ag/:
            6g/locations 4dgp/custom-patterns 5a/: 4p/push-protection-bypasses 4g/scan-history 3gp/security-advisories 4ag/:
            5p/cve 5p/forks 4p/reports 3gp/stacks 4g/: 5p/add 5p/unstack 3g/stargazers 4g/count 4g/history
            3g/stats/code_frequency 4g/commit_activity 4g/contributors 4g/participation 4g/punch_card 3p/statuses/:
            3g/subscribers 3dgu/subscription 3g/tags 3g/tarball/: 3g/teams 3gu/topics 3g/traffic/clones 4g/popular/paths
            5g/referrers 4g/views 3p/transfer 3dgu/vulnerability-alerts 3g/zipball/: 0g/repositories 0g/search/code
            1g/commits 1g/issues 1g/labels 1g/repositories 1g/topics 1g/users 0adg/teams/: 2g/invitations 2g/members 3dgu/:
            2dgu/memberships/: 2g/repos 3dgu/:/: 2g/teams 0ag/user 1g/: 2p/projectsV2/:/drafts 1g/blocks 2dgu/:
            1gp/codespaces 2adg/: 3p/exports 4g/: 3g/machines 3p/publish 3p/start 3p/stop 2g/secrets 3dgu/: 4gu/repositories
            5du/: 3g/public-key 1g/docker/conflicts 1a/email/visibility 1dgp/emails 1g/followers 1g/following 2dgu/:
            1gp/gpg_keys 2dg/: 1g/installations 2g/:/repositories 4du/: 1dgu/interaction-limits 1g/issues 1gp/keys 2dg/:
            1g/marketplace_purchases 2g/stubbed 1g/memberships/orgs 3ag/: 1gp/migrations 2g/: 3dg/archive 3d/repos/:/lock
            3g/repositories 1g/orgs 1g/packages 2dg/:/: 4p/restore 4g/versions 5dg/: 6p/restore 1g/public_emails 1gp/repos
            1g/repository_invitations 2ad/: 1dgp/social_accounts 1gp/ssh_signing_keys 2dg/: 1g/starred 2dgu/:/:
            1g/subscriptions 1g/teams 0g/users 1g/: 2dg/attestations/: 3p/bulk-list 3p/delete-request 3d/digest/:
            2gp/copilot-spaces 3dgu/: 4gp/collaborators 5du/:/: 4gp/resources 5dgu/: 2g/docker/conflicts 2g/events 3g/orgs/:
            3g/public 2g/followers 2g/following 3g/: 2g/gists 2g/gpg_keys 2g/hovercard 2g/installation 2g/keys 2g/orgs
            2g/packages 3dg/:/: 5p/restore 5g/versions 6dg/: 7p/restore 2g/projectsV2 3g/: 4gp/fields 5g/: 4gp/items 5adg/:
            4p/views 5g/:/items 2g/received_events 3g/public 2g/repos 2g/settings/billing/ai_credit/usage
            4g/premium_request/usage 4g/usage 5g/summary 2g/social_accounts 2g/ssh_signing_keys 2g/starred 2g/subscriptions
            0g/versions 0g/zen
            """
    )
}
