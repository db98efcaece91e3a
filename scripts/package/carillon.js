#!/usr/bin/env node
// The first file of the package. It must also load in versions of Node that cannot run the rest, to be able to say so.
import { fileURLToPath } from 'node:url'

const { node } = process.versions
if (Number(node.split('.')[0]) < 24) {
  console.error(`Carillon needs Node 24 or newer, and this is Node ${node}. Install Node 24 and start Carillon again.`)
  process.exit(1)
}
// Libraries read the first; the second is the web app of this package.
process.env.NODE_ENV ??= 'production'
process.env.CARILLON_WEB_DIR ??= fileURLToPath(new URL('web', import.meta.url))
await import('./lib/main.js')
