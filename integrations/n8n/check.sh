#!/bin/sh
# Checks the node with the types of n8n and with n8n's own linter, and builds it, in a temporary folder. On demand: it installs about 300 MB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The linter's package brings a library for AI nodes, with hundreds of packages that neither lint nor build uses.
mkdir none node
echo '{"name":"@n8n/ai-node-sdk","version":"99.0.0"}' >none/package.json
echo '{"private":true,"overrides":{"@n8n/ai-node-sdk":"file:./none"}}' >package.json
npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps n8n-workflow@2 typescript@5.9 @types/node@24 @n8n/node-cli@0.48
cp -r "$here/." node
ln -s ../node_modules node/node_modules
cd node
node_modules/.bin/tsc --noEmit -p .
echo 'the types agree'
node_modules/.bin/n8n-node lint
echo 'the linter of n8n finds nothing'
node_modules/.bin/n8n-node build
