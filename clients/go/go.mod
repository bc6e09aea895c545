module reeve

go 1.19
