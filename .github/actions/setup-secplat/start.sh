#!/usr/bin/env bash
# Starts the server in the background, waits until it is ready, and leaves its URL and credentials for later steps:
# as outputs, and in the variables that secplat and the client read. The server ends with the job.
set -euo pipefail

folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/secplat.XXXXXX")
greeting="$folder/greeting.json"
log="$folder/log.txt"

# The command and the arguments are lists of words.
# shellcheck disable=SC2086
$SETUP_COMMAND serve --json --port "$SETUP_PORT" --data "${SETUP_DATA:-$folder/data}" ${SETUP_ARGUMENTS:-} \
  > "$greeting" 2> "$log" < /dev/null &
server=$!

# One line is printed when the server is ready.
until [ "$(wc -l < "$greeting")" -gt 0 ]; do
  if ! kill -0 "$server" 2> /dev/null; then
    status=0
    wait "$server" || status=$?
    echo "::error::secplat serve ended with $status: $(tr '\n' ' ' < "$log")"
    exit 1
  fi
  sleep 0.2
done

value() {
  sed -n "1s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$greeting"
}
for secret in client_secret access_token; do
  if [ -n "$(value "$secret")" ]; then echo "::add-mask::$(value "$secret")"; fi
done
{
  echo "url=$(value url)"
  echo "client-id=$(value client_id)"
  echo "client-secret=$(value client_secret)"
  echo "access-token=$(value access_token)"
  echo "process-id=$(value process_id)"
  echo "log=$log"
} >> "$GITHUB_OUTPUT"
{
  echo "SECPLAT_URL=$(value url)"
  echo "SECPLAT_CLIENT_ID=$(value client_id)"
  echo "SECPLAT_CLIENT_SECRET=$(value client_secret)"
} >> "$GITHUB_ENV"
