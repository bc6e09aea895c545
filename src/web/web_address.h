/*
 * HOST:PORT as an address of a socket.  HOST is a numeric address, in brackets for IPv6, or localhost.
 */
#ifndef WEB_WEB_ADDRESS_H
#define WEB_WEB_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/attr.h"
#include "base/err.h"

/* Reads HOST:PORT.  False: `err` says what was wrong with it. */
NODISCARD bool web_address_read(const char *text, struct sockaddr_storage *ret_address, struct err *err);

/* The size of the address in bytes, as connect and bind want it. */
socklen_t web_address_size(const struct sockaddr_storage *address);

#endif
