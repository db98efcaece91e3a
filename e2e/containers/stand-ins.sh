#!/usr/bin/env bash
# Builds images with the names that the Dockerfile and deploy/compose.yaml use, from programs that npm and Debian have, so that the very files
# users get can be tried with Docker on a machine that reaches no registry of images. For tests only.
#
#   e2e/containers/stand-ins.sh        needs root, a running Docker and: apt install busybox-static caddy mmdebstrap
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# with_libraries ROOT PROGRAM…: copies what the programs are linked with into a root folder.
with_libraries() {
  local root=$1 path
  shift
  ldd "$@" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^\t\(\/lib64[^ ]*\) .*/\1/p' | sort -u | while read -r path; do
    mkdir -p "$root$(dirname "$path")" && cp -Ln "$path" "$root$path"
  done
}

# tag_of NAME FILE: the image as a file of Compose names it.
tag_of() { sed -n "s/.*:-\($1:[^}]*\)}.*/\1/p" "deploy/$2"; }

build() { DOCKER_BUILDKIT=0 docker build --network host --quiet --tag "$2" "$work/$1"; }

with_shell() {
  mkdir -p "$1/bin" "$1/tmp" "$1/etc" "$1/run" "$1/proc" "$1/sys" "$1/dev"
  cp "${BUSYBOX:-/bin/busybox}" "$1/bin/busybox"
  for name in sh cat mkdir chown chmod su nc id sleep; do ln -sf busybox "$1/bin/$name"; done
  printf 'root:x:0:0::/:/bin/sh\npostgres:x:999:999::/var/lib/postgresql:/bin/sh\n' >"$1/etc/passwd"
  printf 'root:x:0:\npostgres:x:999:\n' >"$1/etc/group"
  printf 'hosts: files dns\n' >"$1/etc/nsswitch.conf"
  chmod 1777 "$1/tmp"
}

# Node on Debian, with apt and npm, as the Dockerfile begins.
base=$(sed -n 's/^FROM \(node:[^ ]*\) AS app$/\1/p' Dockerfile)
mkdir -p "$work/node"
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' | head -n 1)}
mmdebstrap --quiet --variant=apt --include=ca-certificates bookworm "$work/node/base.tar" "$mirror"
cp "$(pnpm exec node -p process.execPath)" "$work/node/node"
cp -rL "$(npm root --global)/npm" "$work/node/npm"
# The machine may reach its package registry only with certificates of its own.
cp /etc/ssl/certs/ca-certificates.crt "$work/node/"
cat >"$work/node/Dockerfile" <<'S'
FROM scratch
ADD base.tar /
COPY node /usr/local/bin/node
COPY npm/ /usr/local/lib/node_modules/npm/
COPY ca-certificates.crt /etc/ssl/certs/
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
CMD ["node"]
S
build node "$base"

# PostgreSQL, with an entry script that understands what the official image does.
root=$work/postgres/root
mkdir -p "$root/usr/local/pgsql" "$root/var/lib/postgresql" "$root/usr/bin"
postgres=$(pnpm --filter @carillon/stack exec node --input-type=module -e \
  "import { postgresBinaries } from './services/postgres-binaries.ts'; console.log((await postgresBinaries()).postgres)")
cp -a "$(dirname "$(dirname "$postgres")")/." "$root/usr/local/pgsql/"
with_shell "$root"
with_libraries "$root" "$root"/usr/local/pgsql/bin/*
cat >"$root/usr/bin/pg_isready" <<'S'
#!/bin/sh
nc -w 1 127.0.0.1 5432 </dev/null
S
cat >"$root/usr/bin/docker-entrypoint.sh" <<'S'
#!/bin/sh
set -e
export PGDATA=/var/lib/postgresql/18/docker PATH=/usr/local/pgsql/bin:/bin
if [ "$(id -u)" = 0 ]; then
  mkdir -p $PGDATA && chown -R postgres:postgres /var/lib/postgresql/18 && chmod 700 $PGDATA
  [ -z "$POSTGRES_PASSWORD_FILE" ] || export POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
  exec su postgres -c 'exec /usr/bin/docker-entrypoint.sh'
fi
if [ ! -e $PGDATA/PG_VERSION ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C
  echo 'host all all all scram-sha-256' >>$PGDATA/pg_hba.conf
  echo "create database $POSTGRES_DB" | postgres --single postgres
fi
exec postgres -c listen_addresses='*'
S
chmod +x "$root"/usr/bin/*
cat >"$work/postgres/Dockerfile" <<'S'
FROM scratch
COPY root/ /
ENV PATH=/usr/bin:/bin
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
S
build postgres "$(tag_of postgres compose.yaml)"

# The engine is one program without libraries. It does not start without certificates.
mkdir -p "$work/engine"
engine=$(pnpm --filter @carillon/stack exec node --input-type=module -e \
  "import { restateBinary } from './services/restate-binary.ts'; console.log(restateBinary('restate-server'))")
cp "$engine" /etc/ssl/certs/ca-certificates.crt "$work/engine/"
cat >"$work/engine/Dockerfile" <<'S'
FROM scratch
COPY restate-server /usr/bin/
COPY ca-certificates.crt /etc/ssl/certs/
ENTRYPOINT ["/usr/bin/restate-server"]
S
build engine restatedev/restate:1.7.12

root=$work/caddy/root
mkdir -p "$root/usr/bin" "$root/data" "$root/config" "$root/etc/ssl/certs" "$root/tmp"
cp "${CADDY:-/usr/bin/caddy}" "$root/usr/bin/caddy"
with_libraries "$root" "$root/usr/bin/caddy"
cat >"$work/caddy/Dockerfile" <<'S'
FROM scratch
COPY root/ /
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["/usr/bin/caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
S
build caddy "$(tag_of caddy compose.yaml)"

# HAProxy, for compose.nodes.yaml.
if [ -x /usr/sbin/haproxy ]; then
  root=$work/haproxy/root
  mkdir -p "$root/usr/local/sbin" "$root/tmp"
  cp /usr/sbin/haproxy "$root/usr/local/sbin/haproxy"
  with_libraries "$root" "$root/usr/local/sbin/haproxy"
  cp -Ln /lib/x86_64-linux-gnu/libnss_{files,dns}.so.2 "$root/lib/x86_64-linux-gnu/"
  cat >"$work/haproxy/Dockerfile" <<'S'
FROM scratch
COPY root/ /
USER 99:99
STOPSIGNAL SIGUSR1
ENTRYPOINT ["/usr/local/sbin/haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
S
  build haproxy "$(tag_of haproxy compose.nodes.yaml)"
fi
