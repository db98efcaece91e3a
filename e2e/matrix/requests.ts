import type { Endpoint } from '@carillon/contract'

/** The smallest body each endpoint accepts, so that a refusal is about who asks and not about what. */
const bodies: Readonly<Record<string, unknown>> = {
  'content.createText': { connections: ['x-nobody'], text: 'a' },
  'content.createPhotos': { connections: ['x-nobody'], medias: ['0123456789abcdef01234567'] },
  'content.createVideo': { connections: ['x-nobody'], medias: ['0123456789abcdef01234567'] },
  'content.createDocument': { connections: ['x-nobody'], medias: ['0123456789abcdef01234567'] },
  'content.validate': { type: 'text', connections: ['x-nobody'], text: 'a' },
  'content.update': { title: 'x' },
  'content.reschedule': { scheduledAt: '2030-01-01T00:00:00Z' },
  'content.resolve': { outcome: 'published' },
  'media.update': { alt: 'x' },
  'media.startUpload': { name: 'a.png', sizeBytes: 10 },
  'media.completeUpload': { parts: [{ partNumber: 1, etag: '"x"' }] },
  'ai.generateContent': { uploadType: 'text', platforms: ['x'] },
  'ai.suggestHashtags': { text: 'a', platforms: ['x'] },
  'webhooks.create': { url: 'https://127.0.0.1:1/', events: ['upload.failed'] },
  'webhooks.update': { active: true },
  'workspaces.update': { name: 'x' },
  'workspaces.chooseTarget': { targetId: 'x' },
  'workspaces.updateMember': { role: 'viewer' },
  'workspaces.invite': { email: 'matrix@example.com', role: 'viewer' },
  'workspaces.createApiKey': { label: 'x' },
}

export function bodyFor({ id, body }: Endpoint, ids: readonly string[]): { body?: unknown } {
  if (id.includes('.bulk')) return { body: { ids } }
  return body ? { body: bodies[id] ?? {} } : {}
}

/** The path with an id for each parameter: by its name, or for plain `:id` by what stands before it. */
export function pathFor({ path }: Endpoint, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string, at: number) => {
    const before = path.slice(0, at - 1)
    return (name === 'id' ? ids[before] : ids[name]) ?? '0123456789abcdef01234567'
  })
}
