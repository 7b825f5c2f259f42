"""Runs samples of FalconPy: reads {id: {program, file}} as JSON, prints a line of JSON for each."""

import json
import sys
import traceback

for name, sample in json.load(sys.stdin).items():
    try:
        if sample["file"] is not None:
            with open("example.txt", "w", encoding="utf-8") as upload:
                upload.write(sample["file"])
        printed = []
        exec(compile(sample["program"], name, "exec"), {"print": printed.append})
        response = printed[-1]
        if isinstance(response, bytes):
            outcome = {"status": 200, "errors": []}
        else:
            body = response["body"]
            errors = body.get("errors") if isinstance(body, dict) else None
            outcome = {"status": response["status_code"], "errors": errors or []}
    except Exception:
        outcome = {"failure": traceback.format_exc()}
    sys.stdout.write(json.dumps({"id": name, **outcome}) + "\n")
