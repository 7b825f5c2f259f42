#!/usr/bin/env bash
# Writes the report as a comment on the pull request, or over the comment of an earlier run. Each
# document has a comment of its own, which its first line tells apart.
set -euo pipefail

marker=$(head -1 "$GATE_REPORT")
comments="repos/$GITHUB_REPOSITORY/issues/$GATE_PULL_REQUEST/comments"

write_comment() {
  local earlier
  # The name of the document is no part of the program that selects.
  earlier=$(MARKER="$marker" gh api --paginate "$comments" \
    --jq '.[] | select(.user.type == "Bot" and (.body | startswith(env.MARKER))) | .id') || return 1
  earlier=${earlier%%$'\n'*}
  if [ -n "$earlier" ]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier" -F "body=@$GATE_REPORT" > /dev/null
  else
    gh api --method POST "$comments" -F "body=@$GATE_REPORT" > /dev/null
  fi
}

# The check has judged already: a token that may only read, as with a fork, must not turn it red.
if ! write_comment; then
  echo "::notice title=spec-gate::The comment could not be written, as with the token of a fork. The report is in the summary of the job."
fi
