"""Puts TLS before a PostgreSQL server that has none, with a certificate made here: the client's checks are real."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_SSL_REQUEST = b"\x00\x00\x00\x08\x04\xd2\x16\x2f"
_DAY = datetime.timedelta(days=1)


def make_certificate(folder: Path, *names: str, days: int = 1) -> tuple[Path, Path]:
    """Write a certificate for host names and addresses, signed by itself, and its key; returns both files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 3 * _DAY)
        .not_valid_after(now + days * _DAY)
        .add_extension(x509.SubjectAlternativeName([_general_name(each) for each in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, key_file = folder / f"{names[0]}.pem", folder / f"{names[0]}.key"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return certificate, key_file


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


@contextlib.contextmanager
def serve_tls(port: int, certificate: Path, key: Path) -> Iterator[int]:
    """Accept encrypted connections and pass them on to a port of this machine; yields the port to connect to."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threads: list[threading.Thread] = []

        def accept() -> None:
            while True:
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                if stopping.is_set():
                    client.close()
                    return
                thread = threading.Thread(target=_serve, args=(client, context, port))
                thread.start()
                threads.append(thread)

        stopping = threading.Event()
        accepting = threading.Thread(target=accept)
        accepting.start()
        own_port = listener.getsockname()[1]
        try:
            yield own_port
        finally:
            stopping.set()
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", own_port), 1).close()  # wakes the thread
            accepting.join()
            for thread in threads:
                thread.join()


def _serve(client: socket.socket, context: ssl.SSLContext, port: int) -> None:
    with client, contextlib.suppress(OSError):
        if client.recv(8) != _SSL_REQUEST:
            return
        client.sendall(b"S")
        with (
            context.wrap_socket(client, server_side=True) as secure,
            socket.create_connection(("127.0.0.1", port)) as server,
        ):
            back = threading.Thread(target=_pass_on, args=(server, secure))
            back.start()
            _pass_on(secure, server)
            back.join()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while content := source.recv(65_536):
            target.sendall(content)
    for each in (source, target):
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
