#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { runCli } from './run-cli.ts'

/** `carillon` where only the commands for people are installed. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
process.exitCode = await runCli(process.argv.slice(2), { version })
