import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'

const run = (file: string, ...words: string[]) => runCommand(process.execPath, [join(root, file), ...words], { cwd: root })

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const everyday = Object.entries(scripts).flatMap(([name, line]) => {
  const file = /^node (\S+)$/.exec(line)?.[1]
  return file === undefined ? [] : [[`pnpm ${name}`, file] as const]
})
const rare = ['measure-structure', 'set-version', 'sbom', 'install-services', 'check-imports'].map(
  (name) => [`node scripts/${name}.ts`, `scripts/${name}.ts`] as const,
)

/** Guarantee: who asks what a command does gets its words at once, and nothing is started, written or published. */
test.each([...everyday, ...rare])('%s --help', { timeout: 60_000 }, async (command, file) => {
  for (const word of ['--help', '-h']) {
    const printed = await run(file, word)
    expect(printed.startsWith(command)).toBe(true)
    // What a command reports of its work begins in this way.
    expect(printed).not.toMatch(/^(?:✔|✘|──|━━)/m)
  }
})

test('every command of this repository is asked', () => {
  expect(everyday.length).toBeGreaterThan(10)
  const others = Object.keys(scripts).filter((name) => !everyday.some(([command]) => command === `pnpm ${name}`))
  // The program that runs the tests has a help of its own.
  expect(others).toEqual(['test'])
})

test('help beside another option checks nothing', { timeout: 60_000 }, async () => {
  const printed = await run('scripts/check.ts', '--static', '--help')
  expect(printed).toContain('--static')
  expect(printed).not.toContain('──')
})

test('an option that is not known is refused', { timeout: 60_000 }, async () => {
  await expect(run('scripts/check.ts', '--statci')).rejects.toThrow("Unknown option '--statci'")
})
