-- Begins a login per request.
wrk.method = "POST"
wrk.path = "/auth/biometric-login/initiate"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"email":"person@example.com"}'
