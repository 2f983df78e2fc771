# The steps of .ci/run and .ci/all: each is a function, and runs in a shell of its own at the root of the project.

install() {
  npm ci
}

# The two commands of the README with the npm of Node 20, in a clean clone: npm before 11.6.2 doesn't link the Node that
# it installs with the packages (npm/cli#4362), so only the launcher finds it. Two test files run there: one that opens
# the database, whose driver crashes on another Node, and the launcher's own. The step `check` runs them all.
older_npm() {
  local clone
  clone=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$clone'" EXIT
  git clone --quiet . "$clone/project"
  cd "$clone/project"
  npx --yes npm@10.8.2 ci
  npx --yes npm@10.8.2 run demo -- --once
  npx --yes npm@10.8.2 exec -- bookdist --version
  npx --yes npm@10.8.2 test -- --project check test/api/journey.test.ts test/launcher.check.test.ts
}

# Clients generated from openapi.json, compiled and run, and the document's linters: packages of their own.
clients() {
  cd test/clients
  npm ci
  npm test
  npm --prefix ../.. run console-types -- --check
}

INSTALL="apt-get install --yes --quiet=2 --no-install-recommends -o DPkg::Lock::Timeout=300"

# A machine that is thrown away afterwards.
may_install() {
  export DEBIAN_FRONTEND=noninteractive
  [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ]
}

# Debian's packages of the servers, the proxies and the browser that the next steps use, where they may be installed. Tests
# of the proxies and of the public page are skipped without them, and say so.
servers() {
  if ! may_install; then
    echo "PostgreSQL of Debian, the S3 store, the proxies and Chromium are only installed with CI=true, as root, on Debian"
    return
  fi
  apt-get update --quiet=2
  $INSTALL postgresql radosgw ceph-mon ceph-osd ceph-mgr ceph-common > /dev/null
  $INSTALL chromium caddy docker-compose haproxy libfaketime nginx-light openssl python3-aiosmtpd systemd > /dev/null ||
    echo "No proxies, no Chromium and no aiosmtpd could be installed"
  $INSTALL chromium-headless-shell > /dev/null || echo "The browser's tests use Chromium with windows, which takes longer"
}

# Format, lint, layers, types, openapi.json, messages of commits, and the tests of the API and of its parts.
check() {
  npm run check
}

# The console in Chromium, from a real build: pages in all languages, widths and colours, and what an editor does. With
# ALL_VARIANTS=true, which .ci/all sets, each page in each of them together.
browser() {
  npm run test:browser
}

# PostgreSQL and a real S3 store together, as several instances have them: what only they have, the way from an empty machine
# to a delivered book, and imports and exports. `differential` compares all operations on both databases and stores.
instances() {
  # The only tests on the server of the packages, where Debian's is installed.
  npm run test:postgres -- test/api/journey.test.ts
  test_on_servers .postgres.test .s3.test test/api/journey.test.ts test/transfer/import.check.test.ts test/transfer/export.test.ts \
    test/transfer/remote-import.slow.test.ts
}

# The plug-in of examples/wordpress in a real WordPress, on a database, ports and users of its own.
wordpress() {
  if may_install; then
    apt-get update --quiet=2
    $INSTALL wordpress wordpress-theme-twentytwentyone wordpress-theme-twentytwentythree > /dev/null
    $INSTALL chromium mariadb-server nginx-light php-cli php-fpm php-mysql > /dev/null
  fi
  npm run test:wordpress
}

# All of the API on PostgreSQL and a real S3 store together. `npm run test:s3` runs the same tests and the slow ones on the
# store and SQLite: no code of its own, and as long again.
everywhere() {
  npm run test:postgres -- test/api/journey.test.ts
  test_on_servers
}

# test_on_servers FILTER…: on Debian's PostgreSQL where it is installed; without a store, on PostgreSQL alone.
test_on_servers() {
  local folder programs port
  programs=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2> /dev/null | tail -1 || true)
  if [ -n "$programs" ] && [ "$(id -u)" = 0 ]; then
    folder=$(mktemp -d)
    port=$((20000 + RANDOM % 10000))
    chown postgres "$folder"
    # shellcheck disable=SC2064
    trap "su postgres -c '$programs/pg_ctl -D $folder/data stop -m immediate' > /dev/null; rm -rf '$folder'" EXIT
    su postgres -c "$programs/initdb -D $folder/data -A trust --locale=C -E UTF8" > /dev/null
    su postgres -c "$programs/pg_ctl -D $folder/data -w -l $folder/log start \
      -o '-p $port -k $folder -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=300'" > /dev/null
    export POSTGRES_TEST_URL=postgres://postgres@127.0.0.1:$port/postgres
  fi
  if [ -z "${S3_TEST_URL:-}" ] && ! command -v radosgw > /dev/null; then
    npm run test:postgres -- "$@"
    return
  fi
  # They wait for half of their time, for stores and locks.
  npm run test:cluster -- --maxWorkers=$(($(nproc) * 2)) "$@"
}

# The same random requests to a service on SQLite and a folder, and to one on PostgreSQL and the S3 store, or a folder without
# a store. Again: npm run differential -- --minutes 4 --seed 1
differential() {
  npm run differential -- --minutes 4
}

long_differential() {
  npm run differential -- --minutes 20
}

# The drill that hangs, resets and swallows what the instances need, and finds what is lost or stands still.
cluster_drill() {
  if ! command -v haproxy > /dev/null || { [ -z "${S3_TEST_URL:-}" ] && ! command -v radosgw > /dev/null; }; then
    echo "The cluster drill needs HAProxy, and Ceph's gateway or S3_TEST_URL"
    return
  fi
  npm run cluster -- --all --minutes 4
}

# Kills under load, of which the deep tests have eight.
crash_drill() {
  npm run drill -- --cycles 200
}

# The same for what the outbox delivers: what sends and what receives events and letters is killed and hung.
deliveries_drill() {
  npm run drill -- --deliveries 10000
  npm run drill -- --deliveries 10000 --postgres
}

# Random requests, of which the deep tests have a tenth.
fuzz() {
  npm run fuzz -- --requests 50000
}

# Random changes of the catalogue and histories of events, of which the other tests have a few.
walks() {
  export WALKS=${WALKS:-150} WALK_SEED=${WALK_SEED:-$((RANDOM + 1))}
  echo "Again: WALKS=$WALKS WALK_SEED=$WALK_SEED .ci/all walks"
  npm run test:slow -- test/api/kept-lists test/repositories/analytics/event-columns test/services/publication-rules
  npm test -- --project check test/api/searched-texts
  npm run test:deep -- test/catalogue-model
}

# Tests that take much time for little chance: all variants of a rule, pictures, threads; and kills, faults of the disk,
# traces, fuzz, races. Together, because those wait while these compute. With what `check` has seen, every documented status
# must have been seen.
slow_deep() {
  npm run test:slow -- --project deep --maxWorkers=$(($(nproc) * 3 / 2))
}
