import { call, get } from '../rig/call.ts'
import { makePng } from '../rig/files.ts'
import { draft, readPost, upload } from '../rig/posts.ts'
import { unique, world } from '../world.ts'

/** One of everything a workspace can own. `marks` are words that must never reach somebody else. */
export type Owned = { ids: Record<string, string>; marks: string[] }

export async function makeOwned(): Promise<Owned> {
  const at = `/workspaces/${world.workspaceId}`
  const mark = unique('private').replace(' ', '-')
  const media = await upload(makePng(20), `${mark}.png`)
  const post = await readPost(await draft({ text: `${mark} text`, medias: [media.id] }, 'photos'))
  const started = await get<{ id: string }>('POST /media/uploads', { body: { name: `${mark}.mp4`, sizeBytes: 10 } })
  const url = `https://${world.webhookHost}/${mark}`
  const webhook = await get<{ id: string }>('POST /webhooks', { body: { url, events: ['connection.needs_reconnect'] } })
  const delivery = await get<{ id: string }>(`POST /webhooks/${webhook.id}/test`)
  const key = await get<{ id: string }>(`POST ${at}/api-keys`, { body: { label: mark } })
  const invitation = await get<{ id: string }>(`POST ${at}/invitations`, {
    body: { email: `${mark}@example.com`, role: 'viewer' },
  })
  const [member] = await get<{ userId: string }[]>(`GET ${at}/members`)
  const [connection] = await get<{ id: string; slug: string }[]>(`GET ${at}/connections`)
  return {
    ids: {
      '/content': post.uploadId,
      channelId: post.channels[0]?.id ?? '',
      '/media': media.id,
      '/media/uploads': started.id,
      '/webhooks': webhook.id,
      deliveryId: delivery.id,
      uploadId: post.uploadId,
      '/workspaces': world.workspaceId,
      connId: connection?.id ?? '',
      userId: member?.userId ?? '',
      inviteId: invitation.id,
      keyId: key.id,
    },
    marks: [mark, 'demo@example.com', connection?.slug ?? 'demo'],
  }
}

export async function dropOwned({ ids }: Owned): Promise<void> {
  await call(`DELETE /content/${ids['/content']}`)
  await call(`DELETE /webhooks/${ids['/webhooks']}`)
}
