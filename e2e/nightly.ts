import { spawn } from 'node:child_process'
import { exitWithHelp, root } from '@carillon/stack/services'
import { recordDrill } from './support/record-drill.ts'

/**
 * `pnpm nightly [names…]`: the suites that take too long for every commit, one after the other. Each leaves a line in
 * `bench/results/drills.jsonl`, also if it fails; the last line counts the suites.
 */
const suites: Readonly<Record<string, readonly string[]>> = {
  upgrade: ['e2e', 'upgrade'],
  failover: ['e2e', 'failover'],
  cells: ['e2e', 'cells'],
  alerts: ['e2e', 'alerts'],
  pooler: ['e2e', 'pooler'],
  release: ['e2e', 'release'],
  kills: ['e2e', 'kills', 'edit'],
  // Twelve posts on each platform that has threads, with a kill at every one of them.
  threads: ['e2e', 'kills', 'thread'],
  'slow servers': ['e2e', 'attack', 'slow-servers'],
  live: ['e2e', 'live'],
  mutants: ['mutants'],
  fuzz: ['fuzz', '--requests', '20000'],
  chaos: ['chaos', '--seeds', '60'],
  soak: ['bench', 'soak'],
}

/** Suites that every commit runs in a short form are whole here. */
const env = { ...process.env, CARILLON_TEST_KILLS: '200' }

type Ended = { isPassed: boolean; lastLine: string }

/** Runs a command of the repository with its output shown. */
function run(args: readonly string[]): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>()
  const child = spawn('pnpm', ['-s', ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let lastLine = ''
  child.stdout.on('data', (bytes: Buffer) => {
    process.stdout.write(bytes)
    lastLine = bytes.toString().trim().split('\n').at(-1) || lastLine
  })
  child.on('error', reject)
  child.on('close', (code) => resolve({ isPassed: code === 0, lastLine: lastLine.slice(0, 300) }))
  return promise
}

exitWithHelp(`pnpm nightly [names…]   the suites that take too long for every commit, one after the other, all or these:
  ${Object.keys(suites).join(', ')}`)
const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in suites))
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}`)
const failed: string[] = []
const chosen = names.length > 0 ? names : Object.keys(suites)
for (const name of chosen) {
  const beganMs = Date.now()
  console.log(`\n━━ ${name}`)
  const { isPassed, lastLine } = await run(suites[name] ?? [])
  await recordDrill(`nightly ${name}`, beganMs, { isPassed, seconds: Math.round((Date.now() - beganMs) / 1000), lastLine })
  if (!isPassed) failed.push(name)
}
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`)
console.log(`${chosen.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
