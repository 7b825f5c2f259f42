#!/usr/bin/env bash
# Compares the document with its base; leaves the reports and the verdict for later steps.
set -euo pipefail

base=${GATE_BASE:-"git:HEAD^1:$GATE_DOCUMENT"}
folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/spec-gate.XXXXXX")
words=("$base" "$GATE_DOCUMENT" --format github)
words+=(--also "markdown=$folder/report.md" --also "json=$folder/report.json" --also "sarif=$folder/report.sarif")
[ -z "${GATE_APPROVALS:-}" ] || words+=(--approvals "$GATE_APPROVALS")

status=0
# The command and the options are lists of words.
# shellcheck disable=SC2086
$GATE_COMMAND "${words[@]}" ${GATE_OPTIONS:-} 2> >(tee "$folder/errors.txt" >&2) || status=$?

if [ ! -s "$folder/report.md" ]; then
  {
    printf '<!-- spec-gate -->\n### API changes: cannot judge\n\n'
    # Indented, because text of a document could end a block between fences.
    head -c 20000 "$folder/errors.txt" | sed 's/^/    /'
  } > "$folder/report.md"
fi
verdict=""
[ ! -s "$folder/report.json" ] ||
  verdict=$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$folder/report.json" | head -1)
{
  echo "verdict=$verdict"
  echo "markdown=$folder/report.md"
  echo "report=$folder/report.json"
  echo "sarif=$folder/report.sarif"
} >> "${GITHUB_OUTPUT:-/dev/stdout}"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/report.md" >> "$GITHUB_STEP_SUMMARY"
exit "$status"
