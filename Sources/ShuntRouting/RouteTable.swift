import ShuntCore
