import type { Endpoint } from '@carillon/contract'

/** The smallest body that each endpoint accepts, so that a request can only be rejected for its caller and not for its body. */
const bodies: Readonly<Record<string, unknown>> = {
  'content.createText': { connections: ['x-unknown'], text: 'a' },
  'content.createPhotos': { connections: ['x-unknown'], medias: ['0123456789abcdef01234567'] },
  'content.createVideo': { connections: ['x-unknown'], medias: ['0123456789abcdef01234567'] },
  'content.createDocument': { connections: ['x-unknown'], medias: ['0123456789abcdef01234567'] },
  'content.validate': { type: 'text', connections: ['x-unknown'], text: 'a' },
  'content.update': { title: 'x' },
  'content.reschedule': { scheduledAt: '2030-01-01T00:00:00Z' },
  'content.approve': { revision: 'x' },
  'content.requestChanges': { comment: 'x' },
  'content.resolve': { outcome: 'published' },
  'media.update': { alt: 'x' },
  'media.createFolder': { name: 'x' },
  'media.updateFolder': { name: 'x' },
  'media.fetch': { url: 'https://127.0.0.1:1/a.png' },
  'media.createUploadTicket': {},
  'media.startUpload': { name: 'a.png', sizeBytes: 10 },
  'media.completeUpload': { parts: [{ partNumber: 1, etag: '"x"' }] },
  'ai.generateContent': { uploadType: 'text', platforms: ['x'] },
  'ai.suggestHashtags': { text: 'a', platforms: ['x'] },
  'approvalLinks.create': { posts: ['0123456789abcdef01234567'] },
  'reports.create': { title: 'x', from: '2026-10-01', to: '2026-10-31' },
  'comments.create': { text: 'x' },
  'comments.update': { text: 'x' },
  'queues.create': { name: 'x' },
  'queues.update': { name: 'x' },
  'series.create': {
    name: 'x',
    every: 1,
    unit: 'day',
    time: '09:00',
    timezone: 'UTC',
    from: new Date().toISOString().slice(0, 10),
    content: { type: 'text', connections: ['x-unknown'], text: 'a' },
  },
  'series.preview': { every: 1, unit: 'day', time: '09:00', timezone: 'UTC', from: new Date().toISOString().slice(0, 10) },
  'series.update': { name: 'x' },
  'series.skip': { date: '2030-01-01' },
  'series.approve': { revision: 'x' },
  'labels.create': { name: 'x', color: 'red' },
  'labels.update': { color: 'red' },
  'imports.create': { format: 'csv', content: 'text\nx' },
  'connectLinks.create': { platforms: ['x'] },
  'developerApps.save': { platform: 'x', clientId: 'id', clientSecret: 'secret' },
  'notes.create': { startsOn: '2030-01-01', text: 'x' },
  'notes.update': { text: 'x' },
  'accountWebhooks.create': { url: 'https://127.0.0.1:1/', events: ['upload.failed'] },
  'webhooks.create': { url: 'https://127.0.0.1:1/', events: ['upload.failed'] },
  'webhooks.update': { active: true },
  'workspaces.update': { name: 'x' },
  'workspaces.chooseTarget': { targetId: 'x' },
  'workspaces.updateMember': { role: 'viewer' },
  'workspaces.invite': { email: 'matrix@example.com', role: 'viewer' },
  'workspaces.createApiKey': { label: 'x' },
}

export function bodyFor({ id, body }: Endpoint, ids: readonly string[]): { body?: unknown } {
  if (id === 'content.bulkReschedule') return { body: { ids, scheduledAt: '2030-01-01T00:00:00Z' } }
  if (id === 'media.bulkMove') return { body: { ids, folderId: null } }
  if (id.includes('.bulk')) return { body: { ids } }
  return body ? { body: bodies[id] ?? {} } : {}
}

/** Fills in the parameters of a path: an id by the parameter's name, or for `:id` by the path before it. */
export function pathFor({ path }: Endpoint, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string, at: number) => {
    const before = path.slice(0, at - 1)
    return (name === 'id' ? ids[before] : ids[name]) ?? '0123456789abcdef01234567'
  })
}
