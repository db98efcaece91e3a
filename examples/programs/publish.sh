#!/bin/sh
# Publishes a picture with curl, and waits for the result. Needs curl and jq.
#   CARILLON_URL=https://carillon.example/api CARILLON_KEY=sk_… CARILLON_WORKSPACE=… ACCOUNTS="a b" FILE=tower.jpg TEXT="…" KEY=… sh publish.sh
set -eu

carillon() {
  curl --silent --show-error --fail-with-body --retry 3 --retry-all-errors \
    -H "Authorization: Bearer $CARILLON_KEY" -H "X-Workspace-Id: $CARILLON_WORKSPACE" "$@"
}

# shellcheck disable=SC2086  # Each account is a word.
set -- $(for account in $ACCOUNTS; do printf -- '-F connections[]=%s ' "$account"; done)
# The same key for every attempt: however often this is run, there is one post.
id=$(carillon -H "Idempotency-Key: $KEY" "$@" --form-string "text=$TEXT" -F "medias[]=@$FILE" "$CARILLON_URL/content/photos" | jq -r .data.uploadId)

for _ in $(seq 60); do
  post=$(carillon "$CARILLON_URL/content/$id")
  case $(printf %s "$post" | jq -r .data.status) in completed | partial_failure | failed) break ;; esac
  sleep 1
done
printf %s "$post" | jq -r '.data.channels[] | "\(.platform) \(.result.status) \(.result.postUrl)"'
