-- initiate.lua, with the report that scripts/bench.sh reads.

dofile("Benchmarks/wrk/report.lua")
dofile("Benchmarks/wrk/initiate.lua")
