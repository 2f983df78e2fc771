"""A mail server of another make: takes letters over TLS from who logs in, and prints each as a line of JSON.

Arguments: file of the certificate, file of its key, user, password. The first line has the port.
"""
import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

certificate, key, user, password = sys.argv[1:]
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(certificate, key)


def authenticate(server, session, envelope, mechanism, data):
    given = isinstance(data, LoginPassword) and (data.login.decode(), data.password.decode())
    return AuthResult(success=given == (user, password))


class Printer:
    async def handle_DATA(self, server, session, envelope):
        letter = {"from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": session.ssl is not None}
        print(json.dumps({**letter, "raw": envelope.content.decode()}), flush=True)
        return "250 taken"


async def serve():
    def create():
        return SMTP(
            Printer(),
            tls_context=context,
            require_starttls=True,
            authenticator=authenticate,
            auth_required=True,
        )

    server = await asyncio.get_running_loop().create_server(create, "127.0.0.1", 0)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


asyncio.run(serve())
