#!/usr/bin/env bash
# Writes the report as a comment on the pull request, or over the comment of an earlier run.
set -euo pipefail

comments="repos/$GITHUB_REPOSITORY/issues/$GATE_PULL_REQUEST/comments"
earlier=$(gh api --paginate "$comments" \
  --jq '.[] | select(.user.type == "Bot" and (.body | startswith("<!-- spec-gate -->"))) | .id' | head -1)
if [ -n "$earlier" ]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier" -F "body=@$GATE_REPORT" > /dev/null
else
  gh api --method POST "$comments" -F "body=@$GATE_REPORT" > /dev/null
fi
