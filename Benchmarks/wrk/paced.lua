-- paths.lua with a pause before each request: a steady load that leaves the machine room, so that what comes out of it is
-- how long answers take.

dofile("Benchmarks/wrk/paths.lua")

function delay() return 10 end
