#!/usr/bin/env bash
# Compares the documents with their bases; leaves the reports and the verdict for later steps.
set -euo pipefail

folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/spec-gate.XXXXXX")
empty="$folder/none.json"
echo '{"openapi": "3.1.0", "info": {"title": "No document", "version": "0.0.0"}, "paths": {}}' > "$empty"

has_commit() { git cat-file -e "$1^{commit}" 2> /dev/null; }
has_file() { git cat-file -e "$1:./$2" 2> /dev/null; }

# The other name of a file that was moved between two commits: renamed FROM TO FIELD NAME FIELD.
renamed() {
  git -c core.quotePath=false diff --relative --find-renames --diff-filter=R --name-status "$1" "$2" |
    NAME="$4" awk -F '\t' -v own="$3" -v other="$5" '$own == ENVIRON["NAME"] { print $other; exit }'
}

head=HEAD
case "${GATE_EVENT:-}" in
  push)
    before=${GATE_BEFORE:-}
    # A new branch has no commit before the push.
    case "$before" in "" | *[!0]*) ;; *) before="" ;; esac
    from=${before:-HEAD^1}
    ;;
  pull_request_target)
    # The work tree is that of the base. The pull request is only read, never checked out.
    [ -n "${GATE_BASE:-}" ] || git fetch --quiet --depth=1 origin "refs/pull/$GATE_PULL_REQUEST/head" || true
    head=$(git rev-parse --verify --quiet FETCH_HEAD || echo HEAD)
    from=HEAD
    ;;
  *) from=HEAD^1 ;;
esac
if [ -z "${GATE_BASE:-}" ] && ! has_commit "$from"; then
  case "$from" in
    HEAD^1) git fetch --quiet --deepen=1 origin 2> /dev/null || true ;;
    *) git fetch --quiet --depth=1 origin "$from" 2> /dev/null || true ;;
  esac
fi

# Sets base and revision of one document, which may be new, moved or deleted.
find_pair() {
  local document=$1 old new
  revision=$document
  [ "${GATE_EVENT:-}" != pull_request_target ] || revision="git:$head:./$document"
  if [ -n "${GATE_BASE:-}" ]; then
    base=$GATE_BASE
    return
  fi
  base="git:$from:./$document"
  has_commit "$from" || return 0
  if ! has_file "$from" "$document"; then
    old=$(renamed "$from" "$head" 3 "$document" 2)
    if [ -n "$old" ]; then base="git:$from:./$old"; else base=$empty; fi
  elif [ "$revision" = "$document" ] && [ ! -e "$document" ] || { [ "$revision" != "$document" ] && ! has_file "$head" "$document"; }; then
    new=$(renamed "$from" "$head" 2 "$document" 3)
    if [ -z "$new" ]; then
      revision=$empty
    elif [ "$revision" = "$document" ]; then
      revision=$new
    else
      revision="git:$head:./$new"
    fi
  fi
}

words=()
names=()
while IFS= read -r document; do
  document=$(printf %s "$document" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//')
  [ -n "$document" ] || continue
  find_pair "$document"
  words+=("$base" "$revision")
  names+=("$document")
done <<< "$GATE_DOCUMENT"
if [ "${#names[@]}" -gt 1 ] && [ -n "${GATE_BASE:-}" ]; then
  echo "spec-gate: base: expected no base beside several documents, got $GATE_BASE" >&2
  exit 2
fi

words+=(--format github)
words+=(--also "markdown=$folder/report.md" --also "json=$folder/report.json" --also "sarif=$folder/report.sarif")
words+=(--also "html=$folder/report.html")
[ -z "${GATE_APPROVALS:-}" ] || words+=(--approvals "$GATE_APPROVALS")

status=0
# The command and the options are lists of words.
# shellcheck disable=SC2086
$GATE_COMMAND "${words[@]}" ${GATE_OPTIONS:-} 2> >(tee "$folder/errors.txt" >&2) || status=$?

# Each document, or list of documents, of a pull request has a comment of its own.
list="$(printf '%s ' "${names[@]}")"
list=${list% }
marker="<!-- spec-gate: $(printf %s "$list" | tr -c 'A-Za-z0-9._/ ' _) -->"
if [ -s "$folder/report.md" ]; then
  { echo "$marker"; for document in "${names[@]}"; do printf '`%s`\n' "$(printf %s "$document" | tr -c 'A-Za-z0-9._/-' _)"; done; tail -n +2 "$folder/report.md"; } > "$folder/comment.md"
else
  {
    printf '%s\n### API changes: cannot judge\n\n' "$marker"
    # Indented, because text of a document could end a block between fences.
    head -c 20000 "$folder/errors.txt" | sed 's/^/    /'
  } > "$folder/comment.md"
fi
verdict=""
[ ! -s "$folder/report.json" ] ||
  verdict=$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$folder/report.json" | head -1)
{
  echo "verdict=$verdict"
  echo "markdown=$folder/comment.md"
  echo "report=$folder/report.json"
  echo "sarif=$folder/report.sarif"
  echo "html=$folder/report.html"
} >> "${GITHUB_OUTPUT:-/dev/stdout}"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/comment.md" >> "$GITHUB_STEP_SUMMARY"
exit "$status"
