"""A real redis-server for tests, which can be suspended, killed and started again."""

import signal
import subprocess

import redis

from optional_tools import require_redis
from ports import free_port
from waiting import START_TIMEOUT_S, STOP_TIMEOUT_S, wait_until

PING_TIMEOUT_S = 5.0


class RedisServer:
    """One redis-server on a port of its own, which it keeps over restarts."""

    def __init__(self, folder):
        require_redis()
        self.folder, self.port, self.process = folder, free_port(), None
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self):
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(
            ["redis-server", *options, "--dir", str(self.folder)],
            stdout=subprocess.DEVNULL,
        )
        wait_until(self.responds, START_TIMEOUT_S)
        return self

    def responds(self):
        try:
            with self._client() as client:
                return client.ping()
        except (redis.ConnectionError, redis.TimeoutError):
            return False

    def pause_clients(self, milliseconds):
        """Let the server delay all commands for so long."""
        with self._client() as client:
            client.client_pause(milliseconds)

    def suspend(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(STOP_TIMEOUT_S)

    def _client(self):
        return redis.Redis(
            port=self.port,
            socket_timeout=PING_TIMEOUT_S,
            socket_connect_timeout=PING_TIMEOUT_S,
        )
