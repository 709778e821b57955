// libpq as Swift can call it: the fields of an error, whose codes are character constants that Swift does not import.
#ifndef VESTIBULE_CPQ_SHIM_H
#define VESTIBULE_CPQ_SHIM_H

#include <libpq-fe.h>

// The five characters of the SQLSTATE; NULL for an error that libpq made itself.
static inline const char *vestibule_pq_state(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

// The message without its details, which hold values of rows.
static inline const char *vestibule_pq_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

// ERROR, FATAL or PANIC in English, whatever language the server speaks.
static inline const char *vestibule_pq_severity(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}

#endif
