"""Run with: npx secplat exec --compat -- pytest"""

import os

import pytest
import requests
from falconpy import IOC

from blocklist import Refused, publish_blocklist

# secplat exec sets it, and FalconPy does not read it.
URL = os.environ["FALCON_BASE_URL"]


def control(path, body):
    """Calls the control plane of the server, which only tests have."""
    response = requests.post(f"{URL}/_control{path}", json=body, timeout=60)
    response.raise_for_status()
    return response.json()


@pytest.fixture
def ioc(request):
    """FalconPy for a new tenant, so that tests do not see the records of others."""
    tenant = control("/tenants", {"name": request.node.name})
    client = control("/clients", {"cid": tenant["cid"]})
    return IOC(
        base_url=URL, client_id=client["client_id"], client_secret=client["client_secret"]
    )


def test_creates_what_is_new_and_deletes_what_is_gone(ioc):
    assert publish_blocklist(ioc, "feed", ["a.example", "b.example"]) == (2, 0)
    assert publish_blocklist(ioc, "feed", ["a.example", "b.example"]) == (0, 0)
    assert publish_blocklist(ioc, "feed", ["b.example", "c.example", "c.example"]) == (1, 1)
    found = ioc.indicator_combined(sort="value.asc")["body"]["resources"]
    assert [each["value"] for each in found] == ["b.example", "c.example"]


def test_publishes_more_than_one_request_can_take(ioc):
    domains = [f"{number}.example" for number in range(2001)]
    assert publish_blocklist(ioc, "feed", domains) == (2001, 0)
    assert publish_blocklist(ioc, "feed", domains[:1800]) == (0, 201)


def test_changes_nothing_if_a_domain_is_invalid(ioc):
    with pytest.raises(Refused, match="not a domain"):
        publish_blocklist(ioc, "feed", ["a.example", "not a domain"])
    assert ioc.indicator_combined()["body"]["resources"] == []


def test_reports_an_overloaded_server(ioc):
    control("/faults", {"operation_id": "indicator.create.v1", "status": 503})
    with pytest.raises(Refused):
        publish_blocklist(ioc, "feed", ["a.example"])
    assert publish_blocklist(ioc, "feed", ["a.example"]) == (1, 0)
