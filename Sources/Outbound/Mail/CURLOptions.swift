import CCurl
import Kernel

/// Sets the options of one libcurl handle, and keeps the first error.
struct CURLOptions {
    private let handle: UnsafeMutableRawPointer
    private(set) var fault = CURLE_OK

    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    /// Sets the server, the encryption, the credentials and the timeouts.
    mutating func apply(_ configuration: SMTPConfiguration) {
        string(CURLOPT_URL, configuration.url)
        string(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        // Mail never goes through a proxy, whatever the environment variables say.
        string(CURLOPT_PROXY, "")
        // Time-outs by signals could interrupt any thread.
        number(CURLOPT_NOSIGNAL, 1)
        number(CURLOPT_CONNECTTIMEOUT_MS, Int(configuration.connectTimeout.wholeMilliseconds))
        number(CURLOPT_TIMEOUT_MS, Int(configuration.timeout.wholeMilliseconds))
        // CURLOPT_TIMEOUT_MS does not apply to QUIT, for which libcurl waits two minutes by default.
        number(CURLOPT_SERVER_RESPONSE_TIMEOUT, Int(configuration.timeout.secondsRoundedUp))
        string(CURLOPT_MAIL_FROM, configuration.sender.address)
        encryption(configuration)
        guard let credentials = configuration.credentials else { return }
        string(CURLOPT_USERNAME, credentials.user)
        string(CURLOPT_PASSWORD, credentials.password.expose())
        string(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
    }

    private mutating func encryption(_ configuration: SMTPConfiguration) {
        // All or nothing goes over TLS: a server that does not offer STARTTLS gets no mail.
        number(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
        number(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        number(CURLOPT_SSL_VERIFYPEER, 1)
        number(CURLOPT_SSL_VERIFYHOST, 2)
        guard let file = configuration.caFile else { return }
        string(CURLOPT_CAINFO, file)
        // The file replaces the system's certificates, instead of adding to them.
        string(CURLOPT_CAPATH, nil)
    }

    mutating func string(_ option: CURLoption, _ value: String?) {
        note(vestibule_curl_set_string(handle, option, value))
    }

    mutating func number(_ option: CURLoption, _ value: Int) {
        note(vestibule_curl_set_number(handle, option, value))
    }

    mutating func size(_ option: CURLoption, _ value: Int) {
        note(vestibule_curl_set_size(handle, option, curl_off_t(value)))
    }

    mutating func list(_ option: CURLoption, _ value: UnsafeMutablePointer<curl_slist>?) {
        note(vestibule_curl_set_list(handle, option, value))
    }

    mutating func note(_ code: CURLcode) { if fault == CURLE_OK { fault = code } }
}
