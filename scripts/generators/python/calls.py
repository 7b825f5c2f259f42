"""Imports every module of the generated clients, calls a server with them, and prints the results."""

import json
import os
import pkgutil
from importlib import import_module

import companion
import openapi
from companion.api.companion import query_combined_host_groups
from openapi.api.ioc import indicator_combined_v1, indicator_create_v1, indicator_get_v1
from openapi.api.o_auth_2 import oauth_2_access_token
from openapi.models import (
    IndicatorAction,
    IndicatorCreateRequest,
    IndicatorInput,
    IndicatorPlatform,
    IndicatorSeverity,
    IndicatorType,
    TokenRequest,
)

for package in (openapi, companion):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        import_module(module.name)

url = os.environ["BASE_URL"]
value = os.environ["INDICATOR"]

credentials = TokenRequest(
    client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"]
)
token = oauth_2_access_token.sync(client=openapi.Client(url), body=credentials)
client = openapi.AuthenticatedClient(url, token=token.access_token)

listed = indicator_combined_v1.sync(client=client, limit=2)

indicator = IndicatorInput(
    type_=IndicatorType.INDICATOR_TYPE_DOMAIN,
    value=value,
    severity=IndicatorSeverity.INDICATOR_SEVERITY_HIGH,
    action=IndicatorAction.INDICATOR_ACTION_DETECT,
    platforms=[IndicatorPlatform.INDICATOR_PLATFORM_LINUX],
    applied_globally=True,
)
created = indicator_create_v1.sync(client=client, body=IndicatorCreateRequest([indicator]))
read = indicator_get_v1.sync(client=client, ids=[created[0].id])
missing = indicator_get_v1.sync(client=client, ids=["f" * 64])

groups = query_combined_host_groups.sync(
    client=companion.AuthenticatedClient(url, token=token.access_token), limit=2
)

print(
    json.dumps(
        {
            "token_type": token.token_type,
            "listed": len(listed),
            "created": created[0].value,
            "read": read[0].value,
            "severity": read[0].severity,
            "missing": missing.errors[0].code,
            "groups": len(groups),
        }
    )
)
