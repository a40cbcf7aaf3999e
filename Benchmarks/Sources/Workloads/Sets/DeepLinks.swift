extension RuleFolder {
    /// The links of an app with 300 rules: pages that yield to the web for good, below a version, for a share of
    /// devices and in windows of time; old links; and routes.
    static func deepLinks() -> RuleFolder {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 5)
        var rules = """
            input $app_version "0";
            input $platform "";
            input $device_id "";

            """
        for index in 0..<60 { rules += plain(index) }
        for index in 60..<110 { rules += version(index) }
        for index in 110..<140 { rules += share(index) }
        for index in 140..<170 { rules += window(index) }
        for index in 170..<200 {
            rules += "rewrite_url ^app://old\(index)/(\\w+)\\?id=(\\d+) app://area\(index)/$1/$2 last;\n"
        }
        for index in 200..<300 {
            rules +=
                index % 4 == 0
                ? "route GET https://m.example.com/area\(index)/:id web\(index);\n"
                : "route app://area\(index - (index % 3) * 50)/\(Words.sections[index % 12])/:id app\(index);\n"
        }
        let requests = (0..<requestCount).map { _ in deepLink(&random) }
        return RuleFolder("deep-links", "an app's links, 300 rules", rules: rules, requests: requests)
    }

    private static func web(_ index: Int) -> String { "https://m.example.com/area\(index)" }

    private static func plain(_ index: Int) -> String {
        switch index % 4 {
        case 0: "degrade = app://area\(index)/index \(web(index));\n"
        case 1: "degrade ^~ app://area\(index)/lists/ \(web(index))/lists;\n"
        case 2: "degrade ~* ^app://area\(index)/(?<page>\\w+)$ \(web(index))/$page;\n"
        default: "degrade host gone\(index) \(web(index))/gone;\n"
        }
    }

    private static func version(_ index: Int) -> String {
        let test =
            index % 5 == 0
            ? "$platform = ios && $app_version >= 4.\(index % 10).0 && $app_version < 4.\(index % 10).3"
            : "$app_version < 3.\(index % 10).0"
        return "if (\(test)) { degrade ~ ^app://area\(index)/(?<page>\\w+) \(web(index))/$page$is_args$args; }\n"
    }

    private static func share(_ index: Int) -> String {
        """
        split_clients $device_id $group\(index) { \(1 + index % 20)% web; * native; }
        if ($group\(index) = web) { degrade ^~ app://area\(index)/ \(web(index))$is_args$args; }

        """
    }

    private static func window(_ index: Int) -> String {
        let day = index % 27 + 1
        let test =
            switch index % 3 {
            case 0: "$time >= 2024-03-\(day / 10)\(day % 10) && $time < 2024-04-01T00:00:00+08:00"
            case 1: "$time < 2024-01-01T08:00:00Z || $time >= 2036-11-12T00:00:00+08:00"
            default: "$weekday = tue && $time_of_day >= 02:00 && $time_of_day < 04:00"
            }
        return "if (\(test)) { degrade ~ ^app://area\(index)/(\\w+) \(web(index))/$1; }\n"
    }

    /// A link, three of four with the version of the app and its device.
    private static func deepLink(_ random: inout RandomNumbers) -> String {
        let index = random.below(300)
        let id = random.below(1_000_000)
        let url =
            switch random.below(8) {
            case 0: "app://old\(170 + index % 30)/\(random.word(of: Words.sections))?id=\(id)"
            case 1: "https://m.example.com/area\(200 + index % 100)/\(id)"
            case 2: "app://area\(index % 60)/index"
            case 3: "app://area\(index % 60)/lists/\(id)?from=push"
            case 4: "app://elsewhere\(index)/\(random.letters(8))"
            default: "app://area\(index)/\(random.word(of: Words.sections))/\(id)?from=mail"
            }
        guard random.below(4) > 0 else { return url }
        let version = "\(2 + random.below(3)).\(random.below(10)).\(random.below(5))"
        let platform = random.below(2) == 0 ? "ios" : "android"
        let input = #""app_version": "\#(version)", "platform": "\#(platform)", "device_id": "device-\#(id)""#
        return #"{"url": "\#(url)", "input": {\#(input)}}"#
    }
}
