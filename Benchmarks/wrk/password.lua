-- Signs in with a password per request: the account of the row `password`.

dofile("Benchmarks/wrk/report.lua")
wrk.method = "POST"
wrk.path = "/auth/login"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"email":"password@example.com","password":"correct horse battery"}'
