import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCarillon } from '@carillon/sdk'
import { root, runCommand, waitUntil } from '@carillon/stack/services'
import { expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { findLink, waitForMail } from '../support/mailbox.ts'
import { findTablesContaining, queryDatabase } from '../support/query-database.ts'
import { createPerson, serverEnv } from '../support/server-env.ts'
import { testStack, uniqueText } from '../test-stack.ts'

type Verification = { entries: number; notLinkedYet: number; faults: { fault: string; position: number | null }[] }

/** What `carillon audit verify` prints. It ends with an exit code of 1 if there are faults, so the output is read either way. */
async function verify(workspaceId: string): Promise<Verification> {
  const script = `"${process.execPath}" server/src/main.ts audit verify --json --workspace ${workspaceId} || true`
  return JSON.parse(await runCommand('sh', ['-c', script], { cwd: root, env: serverEnv() }))
}

/** A worker links new entries every two seconds. */
async function waitUntilLinked(workspaceId: string): Promise<void> {
  const isLinked = async () => (await queryDatabase('select from audit_pending where chain = $1', [workspaceId])).length === 0
  await waitUntil(isLinked, { what: 'the entries to be linked', withinMs: 30_000 })
}

test('a row that an administrator of the database removes, changes or inserts is found', { timeout: 240_000 }, async () => {
  const { workspaceId, apiKey } = await createPerson(`${uniqueText('auditor').replace(' ', '-')}@example.com`)
  const own = createCarillon({ baseUrl: testStack.baseUrl, apiKey, workspaceId })
  for (let n = 0; n < 4; n++) await own.workspaces.update(workspaceId, { name: `Audited ${n}` })
  await waitUntilLinked(workspaceId)
  expect(await verify(workspaceId)).toMatchObject({ entries: 4, faults: [] })

  const entries = await queryDatabase<{ id: string; row: unknown }>(
    'select id, to_jsonb(e) as row from audit_entry e where workspace_id = $1 order by id offset 1 limit 2',
    [workspaceId],
  )
  const [changed, removed] = entries
  const where = 'where workspace_id = $1 and id = $2'
  await queryDatabase(`update audit_entry set action = 'nothing' ${where}`, [workspaceId, changed?.id])
  await queryDatabase(`delete from audit_entry ${where}`, [workspaceId, removed?.id])
  expect((await verify(workspaceId)).faults).toMatchObject([
    { fault: 'changed', position: 2 },
    { fault: 'removed', position: 3 },
  ])

  // With both put right, only the entry for an earlier time is left to find.
  await queryDatabase(`delete from audit_entry ${where}`, [workspaceId, changed?.id])
  for (const { row } of entries)
    await queryDatabase('insert into audit_entry select * from jsonb_populate_record(null::audit_entry, $1)', [
      JSON.stringify(row),
    ])
  await queryDatabase(`insert into audit_entry values ($1, $2, '2023-06-28', null, null, 'workspace.delete', null, 'forged')`, [
    workspaceId,
    '01890000-0000-7000-8000-000000000000',
  ])
  // It is in no chain: an entry with an old time is not added to one any more.
  await expect
    .poll(async () => (await verify(workspaceId)).faults, { timeout: 60_000 })
    .toMatchObject([{ fault: 'not linked', position: null }])
})

test('sign-ins and wrong passwords are in the log of the person and of the server, the password is in neither', async () => {
  const [email, password, wrong] = [
    `${uniqueText('signer').replace(' ', '-')}@example.com`,
    'seven bells at dusk',
    uniqueText('wrong'),
  ]
  const browser = new Browser()
  await browser.post('/auth/sign-up/email', { name: 'Signer', email, password })
  await browser.press(findLink(await waitForMail(email, 'Confirm your address')))
  await browser.post('/auth/sign-in/email', { email, password: wrong })
  await browser.post('/auth/sign-in/email', { email, password })
  const actions = async () =>
    ((await browser.open('GET /auth/activity')).data as { action: string }[]).map(({ action }) => action)
  await expect.poll(async () => (await actions()).toSorted(), { timeout: 10_000 }).toEqual(['sign_in', 'sign_in.failed'])
  const { traceId } = ((await browser.open('GET /auth/activity')).data as { action: string; traceId: string }[]).find(
    ({ action }) => action === 'sign_in.failed',
  ) ?? { traceId: 'none' }
  const log = await readFile(join(testStack.dir, 'logs', 'carillon-all.log'), 'utf8')
  expect(log.split('\n').filter((line) => line.includes(traceId))).toHaveLength(1)
  expect(log).not.toContain(wrong)
  expect(await findTablesContaining(wrong)).toEqual([])
})
