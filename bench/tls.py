"""Servers on loopback that refuse TLS in the two ways in which real ones do."""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class Refusing:
    """Counts the connections that came in; `url` leads to them."""

    def __init__(self) -> None:
        self.connections = 0
        self.url = ""

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hang up at the first byte, which is the client's hello."""
        self.connections += 1
        await reader.read(1)
        writer.close()


@asynccontextmanager
async def hanging_up() -> AsyncIterator[Refusing]:
    """Closes the connection at the ClientHello."""
    async with _serving(None) as server:
        yield server


@asynccontextmanager
async def self_signed() -> AsyncIterator[Refusing]:
    """Shows a certificate that nobody vouches for."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "both.pem"
        path.write_bytes(_certificate())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        async with _serving(context) as server:
            yield server


@asynccontextmanager
async def _serving(context: ssl.SSLContext | None) -> AsyncIterator[Refusing]:
    refusing = Refusing()
    server = await asyncio.start_server(refusing.take, "127.0.0.1", 0, ssl=context)
    refusing.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with server:
        yield refusing


def _certificate() -> bytes:
    """Key and certificate of an hour, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(minutes=5)).not_valid_after(now + timedelta(hours=1))
    signed = made.add_extension(here, critical=False).sign(key, hashes.SHA256())
    pem, form, plain = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(pem, form, plain) + signed.public_bytes(pem)
