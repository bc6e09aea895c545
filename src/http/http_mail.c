#include <sys/socket.h>
#include <sys/stat.h>

#include "base/err.h"
#include "http/http_private.h"

/* A connection to a mail server.  The library ends it with QUIT and blocks until the server has answered, for two minutes at
 * most.  So we detect when QUIT is sent, and shut down the receiving side, so that the library does not wait.  The library
 * does not report the end of a connection attempt that failed, and its descriptor number may be in use again; the inode
 * distinguishes the two. */
struct mail_socket {
    struct list node;               /* in client->mail_sockets */
    struct http_transfer *transfer; /* NULL: the transfer has ended */
    curl_socket_t fd;
    ino_t inode;
};

static ino_t
inode_of(curl_socket_t fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

void
http_mail_note_socket(struct http_transfer *transfer, curl_socket_t fd)
{
    struct mail_socket *mail_socket = must_alloc(sizeof(*mail_socket));

    http_mail_forget_socket(transfer->client, fd);
    mail_socket->transfer = transfer;
    mail_socket->fd = fd;
    mail_socket->inode = inode_of(fd);
    list_init(&mail_socket->node);
    list_append(&transfer->client->mail_sockets, &mail_socket->node);
}

void
http_mail_forget_socket(struct http_client *client, curl_socket_t fd)
{
    for (struct list *node = client->mail_sockets.next; node != &client->mail_sockets; node = node->next) {
        struct mail_socket *mail_socket = LIST_OWNER(node, struct mail_socket, node);

        if (mail_socket->fd != fd)
            continue;
        list_remove(node);
        free(mail_socket);
        return;
    }
}

void
http_mail_forget(struct http_transfer *transfer)
{
    for (struct list *node = transfer->client->mail_sockets.next; node != &transfer->client->mail_sockets; node = node->next) {
        struct mail_socket *mail_socket = LIST_OWNER(node, struct mail_socket, node);

        if (mail_socket->transfer == transfer)
            mail_socket->transfer = NULL;
    }
}

static int
on_mail_sent(CURL *easy, curl_infotype type, char *bytes, size_t length, void *cookie)
{
    struct http_transfer *transfer = cookie;

    (void)easy;
    if (type != CURLINFO_HEADER_OUT || length < 4 || strncmp(bytes, "QUIT", 4) != 0)
        return 0;
    for (struct list *node = transfer->client->mail_sockets.next; node != &transfer->client->mail_sockets; node = node->next) {
        const struct mail_socket *mail_socket = LIST_OWNER(node, struct mail_socket, node);

        if (mail_socket->transfer == transfer && inode_of(mail_socket->fd) == mail_socket->inode)
            (void)shutdown(mail_socket->fd, SHUT_RD);
    }
    return 0;
}

/* The last reply counts, or the last refusal: the replies after it only end the session. */
void
http_mail_take_reply(struct http_transfer *transfer, const char *bytes, size_t length)
{
    if (bytes[0] != '4' && bytes[0] != '5' && (transfer->head.text[0] == '4' || transfer->head.text[0] == '5'))
        return;
    buf_clear(&transfer->head);
    buf_add(&transfer->head, bytes, length < 1024 ? length : 1024);
}

enum http_end
http_mail_end(struct http_transfer *transfer, CURLcode code)
{
    long status = 0;

    (void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    transfer->status = code == CURLE_OK ? 250 : (int)status;
    if (code == CURLE_OK || (status >= 400 && status < 600))
        return HTTP_ANSWERED;
    return transfer->has_ended_body ? HTTP_IN_DOUBT : HTTP_UNSENT;
}

void
http_mail_set(struct http_transfer *transfer)
{
    CURL *easy = transfer->easy;

    transfer->recipients = curl_slist_append(NULL, transfer->request.mail_to);
    (void)curl_easy_setopt(easy, CURLOPT_USE_SSL, transfer->request.needs_tls ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_TRY);
    (void)curl_easy_setopt(easy, CURLOPT_MAIL_FROM, transfer->request.mail_from);
    (void)curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, transfer->recipients);
    (void)curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_READFUNCTION, http_supply_body);
    (void)curl_easy_setopt(easy, CURLOPT_READDATA, transfer);
    /* The connection is not kept: at the limit of connections, the library would end a kept one with QUIT. */
    (void)curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_mail_sent);
    (void)curl_easy_setopt(easy, CURLOPT_DEBUGDATA, transfer);
    (void)curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
}
