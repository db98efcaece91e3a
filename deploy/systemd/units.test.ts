import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Guarantee: the units that the guide installs are accepted by systemd, protect the machine, and need nothing of a clone. */
const services = ['carillon.service', 'restate.service']
const nightly = ['carillon-nightly.service', 'carillon-nightly.timer']
const pathOf = (name: string) => join(import.meta.dirname, name)
const hasSystemd = canRun('systemd-analyze')

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'])
    return true
  } catch {
    return false
  }
}

test.skipIf(!hasSystemd)('systemd finds no fault in them', async () => {
  const { stdout, stderr } = await promisify(execFile)('systemd-analyze', [
    'verify',
    '--man=no',
    ...[...services, ...nightly].map(pathOf),
  ])
  expect(stdout + stderr).toBe('')
})

/** systemd counts from 0 (everything is confined) to 10. Its own sshd has 9.6. */
test.skipIf(!hasSystemd).each([...services, 'carillon-nightly.service'])('%s is confined', async (name) => {
  const args = ['security', '--offline=yes', '--threshold=30', '--no-pager', pathOf(name)]
  await expect(promisify(execFile)('systemd-analyze', args)).resolves.toBeDefined()
})

test.each(services)('%s runs a program that npm has installed for the whole machine', (name) => {
  const text = readFileSync(pathOf(name), 'utf8')
  expect(text).toMatch(
    /^ExecStart=\/usr\/bin\/env (?:carillon serve|restate-server --config-file \/etc\/carillon\/restate\.toml)$/m,
  )
  expect(text).toMatch(/^ProtectHome=yes$/m)
  expect(text).toMatch(/^DynamicUser=yes$/m)
  expect(text).not.toMatch(/=\/(?:home|root|srv|opt)\//)
})
