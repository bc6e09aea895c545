"""A proxy between the program and the server, on every address of this machine."""
import socket
import struct
import threading


def read_exactly(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise ConnectionError
        data += part
    return data


class Forwarder:
    """Forwards requests of the program and answers of the server, message by message.

    target: the path of the server's socket.
    """

    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("0.0.0.0", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def start(self):
        """The state of a new connection, for change()."""

    def change(self, kind, body, state):
        """The messages to forward instead of this one."""
        return [body]

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.target)
            threading.Thread(target=self._ask, args=(client, server), daemon=True).start()
            threading.Thread(target=self._answer, args=(server, client), daemon=True).start()

    @staticmethod
    def _ask(client, server):
        try:
            while data := client.recv(65536):
                server.sendall(data)
        except OSError:
            pass
        server.close()

    def _answer(self, server, client):
        state = self.start()
        try:
            while True:
                kind = read_exactly(server, 1)
                if kind == b"N":  # no TLS here
                    client.sendall(kind)
                    kind = read_exactly(server, 1)
                size = read_exactly(server, 4)
                body = read_exactly(server, struct.unpack("!i", size)[0] - 4)
                client.sendall(b"".join(kind + struct.pack("!i", len(b) + 4) + b for b in self.change(kind, body, state)))
        except (OSError, ConnectionError):
            pass
        client.close()
