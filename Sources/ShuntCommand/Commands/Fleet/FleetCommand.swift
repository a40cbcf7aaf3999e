#if Command
import ArgumentParser

#if Fleet
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Distributes signed releases of rules to many nodes, stage by stage.",
        discussion: """
            A store contains releases: a directory, as a path or file:PATH, or an etcd, as etcd://HOST:PORT,HOST:PORT/NAMESPACE (etcds \
            with TLS; SHUNT_ETCD_AUTHORITIES, SHUNT_ETCD_CERTIFICATE, SHUNT_ETCD_KEY, SHUNT_ETCD_USER and SHUNT_ETCD_PASSWORD_FILE in the \
            environment have the credentials). Nodes follow it with `shunt serve --rules`; commands that only look may be given the \
            https://HOST/PATH/ of a web server with such a directory. By default the store is SHUNT_FLEET_STORE of the environment, and \
            the key file SHUNT_FLEET_KEYS.

            Examples:
                shunt fleet keygen --namespace web
                shunt fleet publish rules --to releases --key publish.key --keys keys.json --wait
                shunt fleet status --store releases
                shunt fleet rollback --to 1 --store releases --key rollback.key --keys keys.json

            Exit status: 0 when it is done; 1 when it was refused, or the rollout was aborted; 2 when the command line is \
            wrong; 3 when there is no answer: a store, a file or rules cannot be read or written.
            """,
        groupedSubcommands: [
            CommandGroup(name: "Keys", subcommands: [KeygenCommand.self, KeysCommand.self]),
            CommandGroup(
                name: "Releases",
                subcommands: [PublishCommand.self, ApproveCommand.self, RollbackCommand.self, PoisonCommand.self]
            ),
            CommandGroup(
                name: "Look",
                subcommands: [StatusCommand.self, HistoryCommand.self, FleetDiffCommand.self, VerifyCommand.self]
            ),
            CommandGroup(
                name: "Rollouts",
                subcommands: [
                    ConductCommand.self, PauseCommand.self, ResumeCommand.self, AbortCommand.self, ExcludeCommand.self,
                ]
            ),
            CommandGroup(name: "Keep order", subcommands: [CleanCommand.self]),
        ]
    )
}
#endif

/// The subcommands of the trait `Fleet`; none without it.
enum FleetCommands {
    static var groups: [CommandGroup] {
        #if Fleet
        [CommandGroup(name: "Many nodes", subcommands: [FleetCommand.self])]
        #else
        []
        #endif
    }
}
#endif
