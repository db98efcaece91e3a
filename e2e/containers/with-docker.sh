#!/usr/bin/env bash
# Runs a command with a Docker daemon and Compose 2.24 or newer: with those of this machine if they answer, or else with a daemon of its own,
# which it ends, and of which nothing stays behind: no image, no container, no rule of a firewall. For tests only.
#
#   e2e/containers/with-docker.sh pnpm e2e containers        needs root and: apt install docker.io busybox-static caddy jq mmdebstrap
#
# If no daemon can run here, it says why as one skipped test, and does not run the command.
set -uo pipefail
cd "$(dirname "$0")/../.."

skip() {
  echo "skipped: the containers: $*"
  echo '0 passed, 0 failed, 0 flaky, 1 skipped'
  exit 0
}

compose_answers() {
  local version
  version=$(docker compose version --short 2>/dev/null) && dpkg --compare-versions "${version#v}" ge 2.24
}

# find_compose FOLDER: puts Compose and the builder into a folder of plug-ins. Debian 12 has only the first Compose, which cannot read our files,
# but runs the programs of the release after it.
find_compose() {
  local folder=$1 uri sources
  mkdir -p "$folder" "$own/lists/partial" "$own/packages"
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
  sources=(-o "Dir::Etc::sourcelist=$own/next.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$own/lists")
  # The signature is checked with the keys that this machine has.
  echo "deb $uri trixie main" >"$own/next.list"
  (
    cd "$own/packages" && chmod 777 . && apt-get -qq "${sources[@]}" update && apt-get -qq "${sources[@]}" download docker-compose docker-buildx &&
      for package in *.deb; do dpkg -x "$package" . || exit 1; done
  ) && cp "$own"/packages/usr/libexec/docker/cli-plugins/* "$folder/"
}

end_daemon() {
  # The container runtime is a child of the daemon and ends with it.
  if [ -s "$own/pid" ]; then
    kill "$(cat "$own/pid")"
    for ((i = 0; i < 600; i++)); do [ -e "$own/pid" ] || break; sleep 0.1; done
  fi
  umount "$own/run/netns/default" 2>/dev/null
  [ -n "$had_key" ] || rm -f /etc/docker/key.json
  rm -rf "$own"
}

if docker version >/dev/null 2>&1 && compose_answers; then exec "$@"; fi

command -v dockerd >/dev/null || skip 'no Docker daemon answers, and dockerd is not installed (Debian: apt install docker.io).'
[ "$(id -u)" = 0 ] || skip 'no Docker daemon answers, and only root can start one.'
own=$(mktemp -d)
had_key=$([ -e /etc/docker/key.json ] && echo yes)
trap end_daemon EXIT
trap 'exit 130' INT TERM
export DOCKER_HOST=unix://$own/socket
compose_answers || {
  export DOCKER_CONFIG=$own/config
  find_compose "$own/config/cli-plugins" >"$own/compose.log" 2>&1
  compose_answers || skip "no Compose of version 2.24 or newer can be had: $(tail -n 1 "$own/compose.log")"
}
# Without rules of a firewall and a bridge, which a daemon leaves behind. Compose makes networks of its own, and images are built in that of the
# machine.
dockerd --host "$DOCKER_HOST" --data-root "$own/data" --exec-root "$own/run" --pidfile "$own/pid" \
  --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false --bridge=none >"$own/daemon.log" 2>&1 &
daemon=$!
for ((i = 0; i < 300; i++)); do
  docker version >/dev/null 2>&1 && break
  kill -0 "$daemon" 2>/dev/null || break
  sleep 0.1
done
docker version >/dev/null 2>&1 || skip "a Docker daemon does not start here: $(tail -n 1 "$own/daemon.log")"
base=$(sed -n 's/^FROM \(node:[^ ]*\) AS app$/\1/p' Dockerfile)
if timeout 120 docker pull --quiet "$base" >/dev/null 2>&1; then
  echo 'the images come from their registry'
else
  echo "no registry of images answers: their stand-ins are built"
  e2e/containers/stand-ins.sh >"$own/stand-ins.log" 2>&1 || {
    tail -n 20 "$own/stand-ins.log"
    echo 'the stand-ins could not be built' && exit 1
  }
fi
"$@"
