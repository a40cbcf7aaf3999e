module shunt

go 1.19
