import type { Connection, Post, Workspace } from '@carillon/sdk'
import { expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { createDraft, readPost } from '../../support/posts.ts'
import { testStack, uniqueText } from '../../test-stack.ts'

const at = `/workspaces/${testStack.workspaceId}`
const metadata = { customer: 'Ada' }

async function setUp() {
  const externalId = uniqueText('id')
  const workspace = await callData<Workspace>('POST /workspaces', { body: { name: 'Belfry', externalId, metadata } })
  const [account] = await callData<Connection[]>(`GET ${at}/connections`)
  const path = `${at}/connections/${account?.id}`
  const connection = await callData<Connection>(`PATCH ${path}`, { body: { externalId, metadata } })
  const draft = await createDraft({ externalId, metadata })
  return { externalId, workspace, connection, path, post: await readPost(draft) }
}

rows(setUp, {
  'D 15 external ids': async ({ workspace, connection, post, path, externalId }) => {
    for (const record of [workspace, connection, post]) expect(record).toMatchObject({ externalId, metadata })
    const changed = await callData<Connection>(`PATCH ${path}`, { body: { metadata: null } })
    expect([changed.externalId, changed.metadata]).toEqual([externalId, undefined])
  },
  'D 15 found': async ({ workspace, connection, post, externalId }) => {
    const query = `externalId=${encodeURIComponent(externalId)}`
    expect(await callData(`GET /workspaces?${query}`)).toMatchObject([{ id: workspace.id }])
    expect(await callData(`GET ${at}/connections?${query}`)).toMatchObject([{ id: connection.id }])
    const { data } = await callData<{ data: Post[] }>(`GET /content?${query}`)
    expect(data.map(({ uploadId }) => uploadId)).toEqual([post.uploadId])
  },
  'D 15 once': async ({ externalId, path, workspace }) => {
    const text = { connections: testStack.connections, text: 'a', saveDraft: true, externalId }
    const replies = [
      await call('POST /content/text', { body: text }),
      await call('POST /workspaces', { body: { name: 'Again', externalId } }),
    ]
    const taken = [409, 'external_id_taken']
    expect(replies.map(({ status, error }) => [status, error.code])).toEqual([taken, taken])
    expect((await call('POST /content/text', { body: { ...text, connections: [] }, workspace: workspace.id })).status).toBe(201)
    await callData(`PATCH ${path}`, { body: { externalId: null } })
    await callData(`DELETE /workspaces/${workspace.id}`)
  },
})

row('D 15 workspace pages', async () => {
  const name = uniqueText('page of')
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.push((await callData<Workspace>('POST /workspaces', { body: { name } })).id)
  const search = `search=${encodeURIComponent(name)}`
  const list = async (query: string) => (await callData<Workspace[]>(`GET /workspaces?${query}`)).map(({ id }) => id)
  expect(await list(search)).toEqual(ids)
  expect(await list(`${search}&limit=2`)).toEqual(ids.slice(0, 2))
  expect(await list(`${search}&limit=2&cursor=${ids[1]}`)).toEqual(ids.slice(2))
  expect(await list('')).toEqual(expect.arrayContaining(ids))
  for (const id of ids) await callData(`DELETE /workspaces/${id}`)
})
