#!/usr/bin/env bash
# Tries an image: scripts/try-image.sh IMAGE. Starts it as compose.yaml does, without rights and with a read-only disk, creates an
# administrator, publishes a book, reads it with its generated cover, and stops the container, which must end with 0.
# Needs curl and jq.
set -euo pipefail
image=${1:?IMAGE is missing}
password='the pass phrase of a try-out'

container=$(docker run --detach --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
  --volume /data --publish 127.0.0.1::3000 "$image")
trap 'docker logs "$container"; docker rm --force --volumes "$container" > /dev/null' EXIT
base=http://$(docker port "$container" 3000/tcp | head -1)

curl --fail --silent --show-error --retry 30 --retry-delay 1 --retry-all-errors "$base/api/health"
docker exec --interactive "$container" bookdist create-admin anna@example.org <<< "$password"
cookies=$(mktemp)
call() { curl --fail --silent --show-error --cookie "$cookies" --cookie-jar "$cookies" "$@"; }
post() { call --header 'Content-Type: application/json' --data "$2" "$base$1"; }
post /api/auth/login "{\"email\": \"anna@example.org\", \"password\": \"$password\"}"
post /api/admin/languages '{"code": "en"}'
book=$(post /api/admin/books '{"titleEn": "A book", "slug": "a-book"}' | jq --raw-output .id)
echo 'A short text.' | call --form languageCode=en --form 'file=@-;filename=book.txt' "$base/api/admin/books/$book/files"
call "$base/api/books" | jq --exit-status '.pagination.total == 1'
call --output /dev/null --write-out '%{content_type}\n' "$base/api/books/a-book/cover" | grep image/
[ "$(docker exec "$container" id -u)" != 0 ]
docker stop --time 40 "$container" > /dev/null
[ "$(docker inspect --format '{{.State.ExitCode}}' "$container")" = 0 ]
echo "the image works"
