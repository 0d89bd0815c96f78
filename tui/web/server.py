"""The server: textual-serve with our page, and with requests from other sites refused.

Any page open in the same browser can reach a port of this machine. So the name a request is addressed to must be this
machine's, and a socket is opened for our own page alone: otherwise a stranger's page could give verdicts.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from textual_serve.server import Server

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self' ws://{host} wss://{host}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


class WorkbenchServer(Server):
    """Serves a command's screens on one address."""

    def __init__(self, command: str, *, host: str, port: int, title: str) -> None:
        super().__init__(command, host=host, port=port, title=title, templates_path=Path(__file__).resolve().parent)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard())
        return app

    def _guard(self) -> Middleware:
        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            name = urlsplit(f"//{request.host}").hostname
            if self.is_local and name not in LOOPBACK:
                raise web.HTTPForbidden(text="This workbench answers this machine alone.")
            origin = request.headers.get("Origin")
            if origin is not None and urlsplit(origin).netloc != request.host:
                raise web.HTTPForbidden(text="Another site's page may not open this workbench.")
            response = await handler(request)
            if not response.prepared:
                response.headers["Content-Security-Policy"] = POLICY.format(host=request.host)
                response.headers["X-Content-Type-Options"] = "nosniff"
                response.headers["Referrer-Policy"] = "no-referrer"
            return response

        return guard

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: the command has said where it serves."""
