#!/usr/bin/env bash
# Builds the container image of Carillon from Debian packages and the package in dist/, without a base image and without a registry.
#
#   deploy/image/build.sh [--video] [--tag NAME] [--dist FOLDER]
#
# --video adds ffmpeg and pdftoppm: without them, videos are refused and documents have no thumbnails. The same input gives the same image.
# It needs Linux on x64, root, and: apt install buildah mmdebstrap. DEBIAN_MIRROR names another mirror, for example a dated snapshot.
set -euo pipefail
cd "$(dirname "$0")/../.."

video=no tag= dist=dist
while [ $# -gt 0 ]; do
  case $1 in
    --video) video=yes ;;
    --tag) tag=$2 && shift ;;
    --dist) dist=$2 && shift ;;
    *) echo "unknown option $1" >&2 && exit 2 ;;
  esac
  shift
done

fail() { echo "$1" >&2; exit 1; }
for tool in buildah mmdebstrap; do
  command -v $tool >/dev/null || fail "$tool is missing: apt install buildah mmdebstrap"
done
[ "$(id -u)" = 0 ] || fail 'building the image needs root: it unpacks Debian packages and changes into them'
[ -f "$dist/carillon.js" ] || fail "there is no package in $dist: run \`pnpm build\` first"
[ "$(uname -m)" = x86_64 ] || fail 'only images for x64 can be built so far'

version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$dist/package.json")
[ -n "$tag" ] || { tag=carillon:$version; [ $video = no ] || tag=$tag-video; }
node=$(pnpm exec node -p process.execPath)
release=bookworm
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" | head -n 1)}
libraries=x86_64-linux-gnu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# What is installed to pick from. `extract` runs no configuration scripts, so there is no shell, no dpkg and no state in it.
packages=base-files,libc6,libstdc++6,libgcc-s1,ca-certificates,netbase,tzdata,util-linux,bubblewrap,perl-base
programs=(/usr/bin/node /usr/bin/prlimit /usr/bin/setpriv /usr/bin/unshare /usr/bin/bwrap /usr/bin/perl)
if [ $video = yes ]; then
  packages+=,ffmpeg,poppler-utils,libblas3,liblapack3,fontconfig-config,fonts-dejavu-core
  programs+=(/usr/bin/ffmpeg /usr/bin/ffprobe /usr/bin/pdftoppm)
fi
mmdebstrap --quiet --variant=extract --include="$packages" $release "$work/base.tar" "$mirror"
mkdir "$work/base" "$work/root" "$work/data"
tar -xf "$work/base.tar" -C "$work/base"
if [ $video = yes ]; then
  # Debian makes these two links in a script, which `extract` does not run.
  ln -sf blas/libblas.so.3 "$work/base/usr/lib/$libraries/libblas.so.3"
  ln -sf lapack/liblapack.so.3 "$work/base/usr/lib/$libraries/liblapack.so.3"
fi
cp "$node" "$work/base/usr/bin/node"
if command -v strip >/dev/null; then strip --strip-unneeded "$work/base/usr/bin/node"; fi

# Copies files of the packages, with links followed, to the same place in the image.
take() {
  local path
  for path; do mkdir -p "$work/root$(dirname "$path")" && cp -L "$work/base$path" "$work/root$path"; done
}

# A program and the libraries that it is linked with.
take_program() {
  take "$1"
  chroot "$work/base" /lib64/ld-linux-x86-64.so.2 --list "$1" |
    sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^\t\(\/lib64[^ ]*\) .*/\1/p' | while read -r path; do take "$path"; done
}

for program in "${programs[@]}"; do take_program "$program"; done
# The native modules and the resolver load these while running.
for name in librt libutil libanl libresolv libnss_files libnss_dns; do
  for path in "$work/base/lib/$libraries/$name".so.[0-9]*; do take "${path#"$work/base"}"; done
done
# The launcher of the decoders' sandbox is a Perl program that only uses `strict`.
take "/usr/lib/$libraries/perl-base/strict.pm"
take /etc/services /etc/protocols
if [ $video = yes ]; then
  mkdir -p "$work/root/usr/share" "$work/root/etc"
  cp -rL "$work/base/usr/share/fonts" "$work/root/usr/share/fonts"
  cp -rL "$work/base/etc/fonts" "$work/root/etc/fonts"
fi
for copyright in "$work"/base/usr/share/doc/*/copyright; do take "${copyright#"$work/base"}"; done

mkdir -p "$work/root/tmp" "$work/root/run" "$work/root/proc" "$work/root/sys" "$work/root/dev" "$work/root/etc/ssl/certs" "$work/data/media"
chmod 1777 "$work/root/tmp"
cat "$work"/base/usr/share/ca-certificates/mozilla/*.crt >"$work/root/etc/ssl/certs/ca-certificates.crt"
printf 'root:x:0:0::/:/\ncarillon:x:10001:10001::/data:/\n' >"$work/root/etc/passwd"
printf 'root:x:0:\ncarillon:x:10001:\n' >"$work/root/etc/group"
printf 'hosts: files dns\n' >"$work/root/etc/nsswitch.conf"

cp -r "$dist" "$work/app"
cp deploy/image/*.ts "$work/app/"
rm -f "$work"/app/*.test.ts
buildah bud --quiet --isolation chroot --format docker --timestamp 0 --label "org.opencontainers.image.version=$version" \
  --file deploy/image/Containerfile --tag "$tag" "$work" >/dev/null
# buildah and Docker keep their images in different places.
if docker info >/dev/null 2>&1; then
  buildah push --quiet "$tag" "docker-archive:$work/image.tar:$tag" && docker load --quiet <"$work/image.tar"
fi
buildah inspect --type image --format "$tag {{.FromImageID}}" "$tag"
