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


def publish_blocklist(ioc, source, domains):
    """Makes the indicators of a source those of a list of domains. Returns how many came and went."""
    known = known_indicators(ioc, source)
    missing = [domain for domain in domains if domain not in known]
    gone = [id for value, id in known.items() if value not in domains]
    if missing:
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
            for domain in missing
        ]
        checked(ioc.indicator_create(body={"indicators": indicators}))
    if gone:
        checked(ioc.indicator_delete(ids=gone))
    return len(missing), len(gone)
