module decide

go 1.19

require shunt v0.0.0

replace shunt => ../../../Bindings/go
