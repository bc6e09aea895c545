#include "web/web_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"

bool
web_address_read(const char *text, struct sockaddr_storage *ret_address, struct err *err)
{
    struct sockaddr_in *four = (struct sockaddr_in *)ret_address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)ret_address;
    const char *colon = strrchr(text, ':');
    size_t length = colon == NULL ? 0 : (size_t)(colon - text);
    char host[64];
    int64_t port;

    memset(ret_address, 0, sizeof(*ret_address));
    if (length == 0 || length >= sizeof(host) || !parse_int(colon + 1, 0, 65535, &port, NULL))
        return err_set(err, ERR_REFUSED, "", "\"%s\" is not HOST:PORT, such as 127.0.0.1:9464", text);
    (void)snprintf(host, sizeof(host), "%.*s", (int)length, text);
    if (strcmp(host, "localhost") == 0)
        (void)snprintf(host, sizeof(host), "127.0.0.1");
    if (host[0] == '[' && host[length - 1] == ']') {
        host[length - 1] = '\0';
        if (inet_pton(AF_INET6, host + 1, &six->sin6_addr) != 1)
            return err_set(err, ERR_REFUSED, "", "\"%s\" is not a numeric address", host + 1);
        six->sin6_family = AF_INET6;
        six->sin6_port = htons((uint16_t)port);
        return true;
    }
    if (inet_pton(AF_INET, host, &four->sin_addr) != 1)
        return err_set(err, ERR_REFUSED, "", "\"%s\" is not a numeric address", host);
    four->sin_family = AF_INET;
    four->sin_port = htons((uint16_t)port);
    return true;
}

socklen_t
web_address_size(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}
