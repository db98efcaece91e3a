import { join } from 'node:path'
import { runCommand } from '../../stack/services/run-command.ts'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../check.ts')

/** Guarantee: who asks what the command does, or misspells an option, does not wait for all checks. */
test('help is printed, and nothing is checked', { timeout: 60_000 }, async () => {
  const printed = await runCommand(process.execPath, [script, '--static', '--help'])
  expect(printed).toContain('--static')
  expect(printed).not.toContain('──')
})

test('an option that is not known is refused', { timeout: 60_000 }, async () => {
  await expect(runCommand(process.execPath, [script, '--statci'])).rejects.toThrow("Unknown option '--statci'")
})
