"""The application on a real port, in the test process: HTTP and websockets."""

import socket

from gevent.pywsgi import WSGIHandler, WSGIServer


class Handler(WSGIHandler):
    """Passes its socket on to the websocket code, which gevent's own handler does not."""

    def get_environ(self):
        environ = super().get_environ()
        environ["werkzeug.socket"] = self.socket
        return environ

    def run_application(self):
        try:
            super().run_application()
        except ConnectionError:
            # the websocket library ends a connection so: there is nothing to answer
            self.close_connection = True


def serve(app):
    """Serve on a free loopback port; return the address and a function that stops it."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setblocking(False)
    server = WSGIServer(listener, app, handler_class=Handler, log=None)
    server.start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}", lambda: server.stop(1)
