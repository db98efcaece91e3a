#!/bin/sh
# Used by the Dockerfile: sh collect.sh FOLDER APP copies the programs that the image needs, and the libraries that they and the native modules
# of the app are linked with, into the folder. The image then has no shell, no package manager and none of their libraries.
set -eu
image=$1 app=$2

# Debian's /bin, /lib and, on some processors, /lib64 are links into /usr.
for link in /bin /sbin /lib*; do
  if [ -L "$link" ]; then mkdir -p "$image/usr$link" && cp -P "$link" "$image/"; fi
done

# Copies files to the same place in the image, with links followed.
take() { cp -L --parents -t "$image" "$@"; }

# The libraries that programs or modules are linked with. What is in the app is copied with the app.
take_libraries() {
  ldd "$@" 2>/dev/null | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' | sort -u | grep -v "^$app/" |
    while read -r path; do take "$path"; done
}

programs='/usr/bin/prlimit /usr/bin/setpriv /usr/bin/unshare /usr/bin/bwrap /usr/bin/perl'
for program in /usr/bin/ffmpeg /usr/bin/ffprobe /usr/bin/pdftoppm; do
  if [ -x $program ]; then programs="$programs $program"; fi
done
take $programs
take_libraries $programs "$(command -v node)" $(find "$app" -name '*.node' -o -name '*.so' -o -name '*.so.*')
cp -L "$(command -v node)" "$image/usr/bin/node"
# Names are looked up with libraries that are loaded while running. The launcher of the sandbox is a Perl program that only uses `strict`.
for pattern in 'libnss_*.so.*' 'libresolv.so.*' strict.pm; do
  for path in $(find /usr/lib/*-linux-gnu -maxdepth 1 -name "$pattern") $(find /usr/lib/*-linux-gnu/perl-base -maxdepth 1 -name "$pattern"); do
    take "$path"
  done
done
take /etc/services /etc/protocols /etc/ssl/certs/ca-certificates.crt
for folder in /usr/share/fonts /etc/fonts /usr/share/fontconfig; do
  if [ -d $folder ]; then mkdir -p "$image$folder" && cp -rL "$folder/." "$image$folder/"; fi
done
for copyright in /usr/share/doc/*/copyright; do
  if [ -f "$copyright" ]; then take "$copyright"; fi
done

# The Debian packages that these files are from, in the form that scanners read where there is no package manager. Some are listed without /usr.
mkdir -p "$image/var/lib/dpkg/status.d"
find "$image" -type f -not -path "$image/usr/share/doc/*" -printf '/%P\n' | sed 'p; s|^/usr||' | xargs dpkg -S 2>/dev/null |
  sed 's/: \/.*//; s/, /\n/g' | sed 's/:.*//' | sort -u |
  while read -r package; do dpkg -s "$package" >"$image/var/lib/dpkg/status.d/$package"; done
cp -L /etc/os-release "$image/etc/os-release"

mkdir -p "$image/tmp" "$image/run" "$image/proc" "$image/sys" "$image/dev"
chmod 1777 "$image/tmp"
printf 'root:x:0:0::/:/\ncarillon:x:10001:10001::/data:/\n' >"$image/etc/passwd"
printf 'root:x:0:\ncarillon:x:10001:\n' >"$image/etc/group"
printf 'hosts: files dns\n' >"$image/etc/nsswitch.conf"
# `carillon …` in a running container has the same secrets as the service.
printf '#!/usr/bin/node --env-file-if-exists=/secrets/carillon.env\nimport("/app/carillon.js")\n' >"$image/usr/bin/carillon"
chmod 755 "$image/usr/bin/carillon"
# The volumes of a container get the owner that these folders have in the image.
mkdir -p /image-data/data/media /image-data/backups
