import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from '@carillon/stack/services'
import { expect, test } from 'vitest'
import { serverEnv } from '../support/server-env.ts'

type Finding = { name: string; status: string; message: string; action?: string }

/** Runs `carillon doctor` with the settings of the stack and some others, as an operator does. */
async function runDoctor(env: Record<string, string>): Promise<{ code: number; checks: Finding[] }> {
  const program = join(root, 'server/src/main.ts')
  const child = spawn(process.execPath, [program, 'doctor', '--json'], { env: { ...process.env, ...serverEnv(), ...env } })
  const closed = new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)))
  const printed = await text(child.stdout)
  const { checks } = JSON.parse(printed) as { checks: Finding[] }
  return { code: await closed, checks }
}

async function findStorage(env: Record<string, string>): Promise<Finding | undefined> {
  const { checks } = await runDoctor(env)
  return checks.find(({ name }) => name === 'storage')
}

test('the doctor writes, reads, signs and deletes a file in a real S3 store', { timeout: 60_000 }, async () => {
  expect(await findStorage({})).toMatchObject({ status: 'ok', message: expect.stringContaining('the bucket') })
})

test.each([
  ['the secret key is wrong', { CARILLON_S3_SECRET_KEY: 'wrong' }, 'CARILLON_S3_SECRET_KEY'],
  ['the access key is wrong', { CARILLON_S3_ACCESS_KEY: 'wrong' }, 'CARILLON_S3_ACCESS_KEY'],
  ['the bucket does not exist', { CARILLON_S3_BUCKET: 'not-there' }, 'CARILLON_S3_BUCKET'],
  ['the store does not run', { CARILLON_S3_ENDPOINT: 'http://127.0.0.1:9' }, 'CARILLON_S3_ENDPOINT'],
  ['its public address is wrong', { CARILLON_S3_PUBLIC_ENDPOINT: 'http://127.0.0.1:9' }, 'CARILLON_S3_PUBLIC_ENDPOINT'],
])('guarantee: the doctor finds that %s, and names the setting', { timeout: 60_000 }, async (_title, env, setting) => {
  expect(await findStorage(env)).toMatchObject({ status: 'fail', action: expect.stringContaining(setting) })
})
