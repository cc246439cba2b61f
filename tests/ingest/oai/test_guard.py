"""Addresses that lead into private networks, in all the ways in which they can be written."""

import re
from ipaddress import ip_network

import pytest

from ingest.errors import ForbiddenAddress, HarvestError, SourceUnreachable
from ingest.oai.fetching import Fetcher
from ingest.oai.guard import Guard
from tests.ingest.oai.harvesting import LIMITS
from tests.ingest.oai.server import Reply, serving

TRICKS = [
    "http://127.0.0.1/",
    "http://127.0.0.1:80/oai",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0x7f.1/",
    "http://127.0.0.0x1/",
    "http://127.00.00.01/",
    "http://127.0.0.1./",
    "http://127.255.255.254/",
    "http://0.0.0.0/",
    "http://0/",
    "http://0x0/",
    "http://00000000000/",
    "http://0.1.2.3/",
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/latest/",
    "http://0xa9fea9fe/",
    "http://100.64.0.1/",
    "http://192.0.0.1/",
    "http://192.0.2.1/",
    "http://198.18.0.1/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::1]/",
    "http://[::]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:10.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a00:1::1]/",
    "http://[2001:0:4136:e378:8000:63bf:f5ff:fffe]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fc00::1]/",
    "http://[fd12:3456::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    "http://[100::1]/",
    "http://museum.example@127.0.0.1/",
    "http://127.0.0.1@museum.example/",
    "http://user:secret@museum.example/",
    "http://museum.example\\@127.0.0.1/",
    "http://museum.example%2f@127.0.0.1/",
    "http://127%2e0%2e0%2e1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://127．0．0．1/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "http://١٢٧.٠.٠.١/",
    "http://127.0.0.1\u200b/",
    "http://mus\u00adeum.example/",
    "http://127.0.0.1\t/",
    "http:// 127.0.0.1/",
    "http://127.0.0.1\r\nHost: x/",
    "http://\x00127.0.0.1/",
    "http:///127.0.0.1/",
    "http:127.0.0.1/",
    "//127.0.0.1/",
    "https://127.0.0.1/",
    "ftp://museum.example/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:70/",
    "data:text/xml,<a/>",
    "http://[127.0.0.1]/",
    "http://[::1/",
    "http://museum.example:99999/",
    "http://256.256.256.256/",
    "http://1.2.3.4.5/",
    "http://.../",
    "http://-museum.example/",
    "http://museum..example/",
    "",
]


def unasked(host: str, port: int) -> list[str]:
    raise AssertionError(f"{host}:{port} was looked up")


@pytest.mark.parametrize("url", TRICKS)
def test_a_trick_is_refused_before_anything_is_looked_up_or_sent(url: str) -> None:
    with Fetcher(LIMITS.model_copy(update={"allowed": ()}), find=unasked) as fetcher:
        with pytest.raises(ForbiddenAddress) as refused:
            fetcher.get(url, {"verb": "Identify"})
        assert refused.value.code == "forbidden-address"


def test_an_address_of_a_private_network_is_said_to_be_one() -> None:
    message = re.escape("127.0.0.1 is an address of a private or special network")
    limits = LIMITS.model_copy(update={"allowed": ()})
    with Fetcher(limits, find=unasked) as fetcher, pytest.raises(ForbiddenAddress, match=message):
        fetcher.get("http://127.0.0.1/", {"verb": "Identify"})


NAMES = {
    "localhost": ["127.0.0.1"],
    "localhost.localdomain": ["127.0.0.1"],
    "ip6-localhost": ["::1"],
    "127.0.0.1.nip.example": ["127.0.0.1"],
    "metadata.internal": ["169.254.169.254"],
    "intranet": ["10.1.2.3"],
    "half.example": ["93.184.216.34", "192.168.1.1"],
    "mapped.example": ["::ffff:10.0.0.1"],
    "nat64.example": ["64:ff9b::c0a8:101"],
    "scoped.example": ["fe80::1%eth0"],
    "unique-local.example": ["fd00::1"],
    "none.example": ["nonsense"],
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_leads_into_a_private_network_is_refused(name: str) -> None:
    with (
        Fetcher(LIMITS.model_copy(update={"allowed": ()}), find=lambda host, _: NAMES[host]) as fetcher,
        pytest.raises(ForbiddenAddress),
    ):
        fetcher.get(f"http://{name}/oai", {"verb": "Identify"})


def test_a_name_that_changes_its_address_is_looked_up_once_and_connected_to_what_was_checked() -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    with serving(lambda _: Reply(b"<a/>")) as url:
        port = url.split(":")[2].split("/")[0]
        with Fetcher(LIMITS, find=lambda *_: next(answers)) as fetcher:
            assert fetcher.get(f"http://museum.example:{port}/", {"verb": "x"}).data == b"<a/>"
    assert next(answers) == ["10.0.0.1"]  # nobody asked again


def test_a_name_that_changes_its_address_between_two_questions_is_checked_again() -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    closing = {"Connection": "close"}
    with serving(lambda _: Reply(b"<a/>", 200, closing)) as url:
        port = url.split(":")[2].split("/")[0]
        with Fetcher(LIMITS, find=lambda *_: next(answers)) as fetcher:
            fetcher.get(f"http://museum.example:{port}/", {"verb": "x"})
            with pytest.raises(ForbiddenAddress):
                fetcher.get(f"http://museum.example:{port}/", {"verb": "x"})


@pytest.mark.parametrize("location", ["http://localhost:1/", "http://127.0.0.2:1/", "http://2130706433/"])
def test_a_redirect_to_this_machine_is_refused(location: str) -> None:
    limits = LIMITS.model_copy(update={"allowed": (ip_network("127.0.0.1/32"),)})
    with (
        serving(lambda _: Reply(b"", 302, {"Location": location})) as url,
        Fetcher(limits, find=lambda *_: ["127.0.0.3"]) as fetcher,
        pytest.raises(ForbiddenAddress),
    ):
        fetcher.get(url, {"verb": "Identify"})


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822", "::ffff:93.184.216.34"]
)
def test_public_addresses_are_let_through(address: str) -> None:
    assert Guard(find=lambda *_: [address]).addresses("museum.example", 80) == [address]


def test_names_of_other_scripts_are_names() -> None:
    Guard().check("https://münchen.example/oai")


def test_a_name_without_an_address_is_tried_again_and_then_told() -> None:
    def nowhere(*_: object) -> list[str]:
        raise OSError("unknown")

    pauses: list[float] = []
    with Fetcher(LIMITS, find=nowhere, sleep=pauses.append) as fetcher, pytest.raises(SourceUnreachable):
        fetcher.get("http://nowhere.example/", {"verb": "Identify"})
    assert len(pauses) == 2


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://10.0.0.1:3128")
    with serving(lambda _: Reply(b"<a/>")) as url, Fetcher(LIMITS) as fetcher:
        assert fetcher.get(url, {"verb": "Identify"}).data == b"<a/>"
    assert issubclass(ForbiddenAddress, HarvestError)
