"""Which addresses webhooks may call, and what is signed."""

from ipaddress import ip_network

import pytest

from glassflow.domain import webhooks
from glassflow.domain.webhooks import WebhookPolicy, is_allowed, url_fault

PUBLIC = ("93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8")
NOT_PUBLIC = (
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.20",
    "100.64.0.1",  # carrier-grade NAT
    "169.254.169.254",  # the metadata of cloud machines
    "192.0.0.8",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:192.168.1.20",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::1",  # 6to4
    "2001:0:7f00:1::",  # Teredo
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "fec0::1",  # site-local
    "feff::ffff",
    "ff02::1",
    "2001:db8::1",
    "",
    "localhost",
)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_address_is_allowed(address):
    assert is_allowed(address, ())


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_other_address_is_refused(address):
    assert not is_allowed(address, ())
    assert not is_allowed(address, [ip_network("203.0.113.0/24")])


def test_networks_of_the_setting_are_allowed_also_as_addresses_of_ipv6():
    networks = [ip_network("192.168.1.0/24"), ip_network("::1")]
    for address in ("192.168.1.20", "::ffff:192.168.1.20", "::1"):
        assert is_allowed(address, networks)
    for address in ("192.168.2.20", "127.0.0.1", "::ffff:192.168.2.1"):
        assert not is_allowed(address, networks)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "ftp://example.com/",
        "file:///etc/passwd",
        "http://",
        "http:///path",
        "http://user@example.com/",
        "http://user:secret@example.com/",
        "http://example.com/#part",
        "http://example.com:0/",
        "http://example.com:99999/",
        "http://example.com:x/",
        "http://exa mple.com/",
        "http://example.com/\r\nX: y",
        "http://ตัวอย่าง.example/",
        "http://[::1/",
        "http://127.0.0.1/",
        "http://[::1]:8000/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://example.com/" + "a" * 2000,
    ],
)
def test_url_that_is_none_or_leads_inside_is_refused(url):
    assert url_fault(url, WebhookPolicy())


def test_https_can_be_required():
    strict = WebhookPolicy(allow_http=False)
    assert url_fault("http://example.com/hook", strict)
    assert url_fault("https://example.com:8443/hook?a=b", strict) is None
    assert url_fault("http://example.com/hook", WebhookPolicy()) is None
    inside = WebhookPolicy(networks=(ip_network("10.0.0.0/8"),))
    assert url_fault("http://10.0.0.7:5000/", inside) is None


def test_headers_are_those_of_the_specification():
    # The example of the Standard Webhooks specification.
    headers = webhooks.signed_headers(
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


@pytest.mark.parametrize(
    "secret",
    ["", "a", "whsec_", "whsec_!!!!", "whsec_c2hvcnQ=", "whsec_" + "YWFh" * 30],
)
def test_secret_of_another_form_is_refused(secret):
    with pytest.raises(ValueError, match=r"prefix|base64|short"):
        webhooks.secret_key(secret)


def test_new_secrets_differ_and_are_accepted():
    made = {webhooks.new_secret() for _ in range(10)}
    assert len(made) == 10
    assert {len(webhooks.secret_key(one)) for one in made} == {32}


def test_delay_doubles_up_to_the_longest_and_half_of_it_is_chance():
    for failures, full in ((1, 5), (2, 10), (5, 80), (12, 3600), (10_000, 3600)):
        made = [
            webhooks.retry_delay_s(failures, first_s=5, longest_s=3600)
            for _ in range(200)
        ]
        assert full / 2 <= min(made) < max(made) <= full
