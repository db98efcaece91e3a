import type { StackInfo } from '@carillon/stack'
import { createCarillon } from '@carillon/sdk'
import { fileOf, makePng } from '../support/files.ts'
import type { KnownValues } from './value.ts'

const day = 86_400_000

/** Creates what the requests refer to: posts in several states, a webhook, and a second workspace that may be changed and deleted. */
export async function createKnownValues(info: StackInfo): Promise<KnownValues> {
  const { baseUrl, apiKey, workspaceId, connections } = info
  const carillon = createCarillon({ baseUrl, apiKey, workspaceId })
  const [first = ''] = connections
  const scheduledAt = new Date(Date.now() + 60 * day).toISOString()
  const posts: string[] = []
  for (let n = 0; n < 100; n++) {
    const { draftId } = await carillon.content.createText({ connections, text: `draft ${n}`, saveDraft: true })
    const { uploadId } = await carillon.content.createText({ connections: [first], text: `later ${n}`, scheduledAt })
    posts.push(draftId, uploadId)
  }
  const deletable = posts.splice(0, 60)
  const { requestId } = await carillon.content.createText({ connections: [first], text: 'now' })
  const { channels } = await carillon.content.get(requestId)
  const hook = await carillon.webhooks.create({ url: 'https://127.0.0.1:9/hook', events: ['upload.failed'] })
  const delivery = await carillon.webhooks.test(hook.id)
  const pictures = await Promise.all(
    [1, 2, 3].map(async (n) => (await carillon.media.upload({ file: fileOf(makePng(n), `${n}.png`) })).id),
  )
  const scratch = await carillon.workspaces.create({ name: 'Scratch' })
  const members = await carillon.workspaces.members(scratch.id)
  return {
    connections,
    requestId: [requestId, ...posts],
    ids: deletable,
    'DELETE /content': deletable,
    '/content': [...posts, requestId, requestId],
    uploadId: [...posts, requestId],
    channelId: channels.map(({ id }) => id),
    '/webhooks': [hook.id],
    deliveryId: [delivery.id],
    '/workspaces': [scratch.id],
    userId: members.map((member) => member.userId),
    scheduledAt: [scheduledAt, '2030-01-01T10:00:00+05:30'],
    timezone: ['Europe/Berlin', 'UTC', 'Asia/Tokyo', 'America/St_Johns'],
    medias: pictures,
    '/media': pictures,
    url: ['https://127.0.0.1:9/hook'],
    cursor: posts.slice(0, 3),
    email: ['demo@example.com', 'fuzz@example.com'],
    platform: ['bluesky', 'x,mastodon', 'nowhere'],
  }
}
