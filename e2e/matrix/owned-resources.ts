import { call, callData } from '../support/call.ts'
import { makePng } from '../support/files.ts'
import { createDraft, readPost, uploadMedia } from '../support/posts.ts'
import { queryDatabase } from '../support/query-database.ts'
import { testStack, uniqueText } from '../test-stack.ts'

/** One of everything that a workspace can own. `privateWords` must never appear in an answer to another tenant. */
export type OwnedResources = { ids: Record<string, string>; privateWords: string[] }

export async function createOwnedResources(): Promise<OwnedResources> {
  const at = `/workspaces/${testStack.workspaceId}`
  const mark = uniqueText('private').replace(' ', '-')
  const media = await uploadMedia(makePng(20), `${mark}.png`)
  const post = await readPost(await createDraft({ text: `${mark} text`, medias: [media.id] }, 'photos'))
  const started = await callData<{ id: string }>('POST /media/uploads', { body: { name: `${mark}.mp4`, sizeBytes: 10 } })
  const url = `https://${testStack.webhookHost}/${mark}`
  const webhook = await callData<{ id: string }>('POST /webhooks', { body: { url, events: ['connection.needs_reconnect'] } })
  const ofAccount = await callData<{ id: string }>('POST /account/webhooks', { body: { url, events: ['webhook.test'] } })
  const queue = await callData<{ id: string }>('POST /queues', { body: { name: mark } })
  const label = await callData<{ id: string }>('POST /labels', { body: { name: mark, color: 'red' } })
  const folder = await callData<{ id: string }>('POST /media/folders', { body: { name: mark } })
  const note = await callData<{ id: string }>('POST /notes', { body: { startsOn: '2030-01-01', text: mark } })
  const draft = await createDraft({ connections: testStack.connections.slice(0, 1), text: mark })
  const link = await callData<{ id: string }>('POST /approval-links', { body: { posts: [draft], name: mark } })
  const said = await callData<{ id: string }>(`POST /content/${post.uploadId}/comments`, { body: { text: mark } })
  const file = { format: 'jsonl', name: mark, content: JSON.stringify({ text: mark }) }
  const imported = await callData<{ id: string }>('POST /imports', { body: file })
  const [account] = await callData<{ slug: string }[]>(`GET ${at}/connections`)
  const series = await callData<{ id: string }>('POST /series', {
    body: {
      name: mark,
      every: 1,
      unit: 'month',
      time: '09:00',
      timezone: 'UTC',
      from: new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10),
      content: { type: 'text', connections: [account?.slug], text: mark },
    },
  })
  const delivery = await callData<{ id: string }>(`POST /webhooks/${webhook.id}/test`)
  const key = await callData<{ id: string }>(`POST ${at}/api-keys`, { body: { label: mark } })
  const report = await callData<{ id: string }>(`POST ${at}/reports`, {
    body: { title: mark, from: '2026-10-01', to: '2026-10-31' },
  })
  const invitation = await callData<{ id: string }>(`POST ${at}/invitations`, {
    body: { email: `${mark}@example.com`, role: 'viewer' },
  })
  const [member] = await callData<{ userId: string }[]>(`GET ${at}/members`)
  const [connection] = await callData<{ id: string; slug: string }[]>(`GET ${at}/connections`)
  // Only a person allows a program something, on a page.
  const [grant] = await queryDatabase<{ id: string }>(
    `insert into oauth_grant (workspace_id, id, person_id, client_id, client_name, resource, scopes, created_at)
     values ($1, gen_random_uuid(), $2, 'carillon-cli', $3, 'x', '{content:read}', now()) returning id`,
    [testStack.workspaceId, member?.userId, mark],
  )
  return {
    ids: {
      '/content': post.uploadId,
      channelId: post.channels[0]?.id ?? '',
      '/media': media.id,
      '/media/uploads': started.id,
      '/media/folders': folder.id,
      '/webhooks': webhook.id,
      '/account/webhooks': ofAccount.id,
      '/queues': queue.id,
      reportId: report.id,
      '/approval-links': link.id,
      commentId: said.id,
      '/series': series.id,
      '/labels': label.id,
      '/notes': note.id,
      '/imports': imported.id,
      deliveryId: delivery.id,
      uploadId: post.uploadId,
      '/workspaces': testStack.workspaceId,
      connId: connection?.id ?? '',
      '/connections': connection?.id ?? '',
      userId: member?.userId ?? '',
      inviteId: invitation.id,
      keyId: key.id,
      grantId: grant?.id ?? '',
    },
    privateWords: [mark, 'demo@example.com', connection?.slug ?? 'demo'],
  }
}

export async function deleteOwnedResources({ ids }: OwnedResources): Promise<void> {
  await call(`DELETE /content/${ids['/content']}`)
  await call(`DELETE /webhooks/${ids['/webhooks']}`)
  await call(`DELETE /account/webhooks/${ids['/account/webhooks']}`)
  await call(`DELETE /queues/${ids['/queues']}`)
  await call(`DELETE /approval-links/${ids['/approval-links']}`)
  await call(`DELETE /series/${ids['/series']}?posts=remove`)
  await call(`DELETE /workspaces/${ids['/workspaces']}/grants/${ids['grantId']}`)
  await call(`DELETE /labels/${ids['/labels']}`)
  await call(`DELETE /media/folders/${ids['/media/folders']}`)
  await call(`DELETE /workspaces/${ids['/workspaces']}/reports/${ids['reportId']}`)
  await call(`DELETE /notes/${ids['/notes']}`)
  await call(`DELETE /imports/${ids['/imports']}`)
}
