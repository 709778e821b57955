// libcurl as Swift can call it: its two variadic functions, once for each type of argument that Outbound/Mail passes.
#ifndef VESTIBULE_CCURL_SHIM_H
#define VESTIBULE_CCURL_SHIM_H

#include <curl/curl.h>

typedef size_t (*vestibule_curl_read)(char *buffer, size_t size, size_t count, void *context);
typedef int (*vestibule_curl_progress)(
    void *context, curl_off_t toDownload, curl_off_t downloaded, curl_off_t toUpload, curl_off_t uploaded);

// libcurl keeps a copy of strings; NULL takes a default back.
static inline CURLcode vestibule_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vestibule_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vestibule_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// The list has to outlive the transfer.
static inline CURLcode vestibule_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}

static inline CURLcode vestibule_curl_set_reader(CURL *handle, vestibule_curl_read reader, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, reader);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_READDATA, context);
}

static inline CURLcode vestibule_curl_set_progress(CURL *handle, vestibule_curl_progress progress, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
}

// The server's last reply code; 0 if there was none.
static inline long vestibule_curl_reply(CURL *handle) {
    long reply = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &reply) == CURLE_OK ? reply : 0;
}

#endif
