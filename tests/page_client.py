"""What the pages of one browser do with the service, without a browser."""

from urllib.parse import urlsplit

from clients import Api
from factories import PASSWORD

SESSION = "/floor/session"


class PageClient(Api):
    """Keeps the cookie, and calls the session routes as the pages do."""

    keeps_cookies = True

    def __init__(self, server):
        super().__init__(server)
        self.own_headers = {"X-Floor": "1", "Origin": server}

    def log_in(self, username, password=PASSWORD):
        body = {"username": username, "password": password}
        return self.post(SESSION, body, headers=self.own_headers)

    def renew(self):
        headers = {"X-Floor": "1"}  # browsers send no Origin with their own GET
        return self.call("GET", SESSION, headers=headers)

    def log_out(self):
        return self.call("DELETE", SESSION, headers=self.own_headers)

    def page(self, answer):
        """A client of the API with the page token of an answer."""
        return Api(self.url, answer.data["token"])

    @property
    def secret(self):
        """The value of the session's cookie; None without one."""
        return self.session.cookies.get(self.cookie)

    @property
    def cookie(self):
        """The name of the session's cookie."""
        return f"gf_session_{urlsplit(self.url).port}"


def outcome(answer):
    """What a test of a refusal compares."""
    return (answer.status, answer.message)
