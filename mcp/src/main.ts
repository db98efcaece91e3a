#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { buildServer } from './build-server.ts'
import { createDesk } from './desk.ts'
import { readSettings } from './settings.ts'

/** `carillon-mcp`: serves the tools over stdin and stdout. Stdout belongs to the protocol, so everything for people goes to stderr. */
function main(): void {
  const settings = readSettings(process.env)
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  const openDesk = createDesk(settings)
  const report = (error: unknown) => console.error(error)
  serveStdio(() => buildServer({ openDesk, allow: settings.allow, version, report }), { onerror: report })
}

try {
  main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
