"""Publishes a list of domains as indicators."""


class Refused(Exception):
    """The API refused a request; the message says why."""


def checked(response):
    """The resources of a response; FalconPy returns errors instead of raising them."""
    if response["status_code"] >= 400:
        errors = response["body"]["errors"]
        raise Refused("; ".join(error["message"] for error in errors))
    return response["body"]["resources"]


def known_indicators(ioc, source):
    """The ids of the indicators of a source, by their values."""
    known = {}
    after = None
    while True:
        page = {"filter": f"source:'{source}'", "limit": 2000}
        if after:
            page["after"] = after
        response = ioc.indicator_combined(**page)
        for indicator in checked(response):
            known[indicator["value"]] = indicator["id"]
        after = response["body"]["meta"]["pagination"].get("after")
        if not after:
            return known


def slices(values, maximum):
    """The values in lists that one request can take."""
    return [values[start : start + maximum] for start in range(0, len(values), maximum)]


def publish_blocklist(ioc, source, domains):
    """Makes the indicators of a source those of a list of domains. Returns how many came and went."""
    known = known_indicators(ioc, source)
    wanted = dict.fromkeys(domains)
    missing = [domain for domain in wanted if domain not in known]
    gone = [id for value, id in known.items() if value not in wanted]
    for domains_at_once in slices(missing, 2000):
        indicators = [
            {
                "type": "domain",
                "value": domain,
                "source": source,
                "action": "detect",
                "severity": "high",
                "platforms": ["linux", "mac", "windows"],
                "applied_globally": True,
            }
            for domain in domains_at_once
        ]
        checked(ioc.indicator_create(body={"indicators": indicators}))
    for ids in slices(gone, 200):
        checked(ioc.indicator_delete(ids=ids))
    return len(missing), len(gone)
