import ShuntRules
