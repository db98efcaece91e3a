import { endpoints, type Endpoint } from '@carillon/contract'
import type {
  ApiKey,
  Connection,
  Delivery,
  Label,
  Media,
  MediaFolder,
  MediaUpload,
  Note,
  Post,
  Queue,
  Webhook,
} from '@carillon/sdk'
import { expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { pathFor } from '../../matrix/endpoint-requests.ts'
import { Browser, newAddress } from '../../support/browser.ts'
import { call, callData, type CallOptions } from '../../support/call.ts'
import { fileOf, formOf, makeMp4, makePdf, makePng } from '../../support/files.ts'
import { inviteAndAccept } from '../../support/invite-and-accept.ts'
import { createDraft, createPost, createScheduled, dayMs, uploadMedia } from '../../support/posts.ts'
import { connectAccounts, connectAccountsTo } from '../../support/server-env.ts'
import { bluesky, testStack, timeAfter, uniqueText, waitUntilFinished } from '../../test-stack.ts'

/** A request that succeeds, and that would be rejected or would create something else if it ran a second time. */
type Request = { ids?: Record<string, string>; options?: CallOptions }

const at = `/workspaces/${testStack.workspaceId}`
const home = { '/workspaces': testStack.workspaceId }
const draftBody = (more: object) => ({ options: { body: { saveDraft: true, ...more } } })
const post = (id: string, body?: object): Request => ({ ids: { '/content': id }, ...(body && { options: { body } }) })
const posts = (...ids: string[]): Request => ({ options: { body: { ids } } })
const photoConnection = testStack.photoConnections[0]
const failed = async () =>
  (await waitUntilFinished((await createPost({ connections: [testStack.failConnection] })).data.uploadId)).uploadId

async function newWebhook(): Promise<Webhook> {
  return callData<Webhook>('POST /webhooks', {
    body: { url: 'https://127.0.0.1:9/scope', events: ['connection.needs_reconnect'] },
  })
}

async function newQueue(): Promise<Queue> {
  return callData<Queue>('POST /queues', { body: { name: 'Scope', slots: [{ day: 'monday', time: '03:07' }] } })
}

async function newFolder(): Promise<MediaFolder> {
  return callData<MediaFolder>('POST /media/folders', { body: { name: uniqueText('Scope') } })
}

async function newLabel(): Promise<Label> {
  return callData<Label>('POST /labels', { body: { name: uniqueText('Scope'), color: 'teal' } })
}

const fileOfPosts = () => ({ format: 'jsonl', content: JSON.stringify({ connections: [bluesky], text: uniqueText('scope') }) })

const ofAccount = { url: 'https://127.0.0.1:9/account', events: ['connection.needs_reconnect'] }

async function newAccountWebhook(): Promise<Record<string, string>> {
  return { '/account/webhooks': (await callData<{ id: string }>('POST /account/webhooks', { body: ofAccount })).id }
}

/** The address of a file that the service may fetch. */
async function fileAddress(): Promise<string> {
  return (await uploadMedia(makePng(36), 'scope.png')).url
}

type Submission = { workspace: string; id: string; revision: string; approver: string }

/** A workspace with an account, and the key of another person, who may approve and has set the rule. */
async function newFourEyes(
  approval: 'none' | 'programs' = 'none',
): Promise<{ workspace: string; slug: string; approver: string }> {
  const { id: workspace } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Scope of approvals' } })
  const [email, other] = [newAddress('approver'), new Browser()]
  await other.signIn(email)
  await inviteAndAccept(workspace, email, 'admin')
  const made = await other.open(`POST /api/workspaces/${workspace}/api-keys`, {
    body: { label: 'approver', scopes: ['content:approve'] },
    workspace,
  })
  await other.open(`PATCH /api/workspaces/${workspace}`, { body: { approval }, workspace })
  const [account] = await connectAccountsTo(workspace, uniqueText('scope').replace(' ', '-'), ['x'])
  return { workspace, slug: account?.slug ?? '', approver: (made.data as ApiKey).key ?? '' }
}

async function newSubmission(): Promise<Submission> {
  const { workspace, slug, approver } = await newFourEyes()
  const body = { connections: [slug], text: uniqueText('scope'), scheduledAt: timeAfter(dayMs), submit: true }
  const { draftId: id } = await callData<{ draftId: string }>('POST /content/text', { body, workspace })
  const { approval } = await callData<Post>(`GET /content/${id}`, { workspace })
  return { workspace, id, revision: approval?.revision ?? '', approver }
}

const dayAfter = (days: number) => timeAfter(days * dayMs).slice(0, 10)
const rule = () => ({ every: 1, unit: 'month', time: '09:00', timezone: 'UTC', from: dayAfter(300) })
const seriesBody = (slug = bluesky) => ({
  ...rule(),
  name: uniqueText('Scope'),
  content: { type: 'text', connections: [slug], text: uniqueText('scope') },
})

type Series = { id: string; revision: string; occurrences: { date: string }[] }

const newSeries = () => callData<Series>('POST /series', { body: seriesBody() })

const requests: Record<string, () => Promise<Request>> = {
  'content.createText': async () => draftBody({ connections: [bluesky], text: uniqueText('scope') }),
  'content.createPhotos': async () =>
    draftBody({ connections: [photoConnection], medias: [(await uploadMedia(makePng(31), 'scope.png')).id] }),
  'content.createVideo': async () =>
    draftBody({ connections: [testStack.videoConnections[0]], medias: [(await uploadMedia(await makeMp4(), 'scope.mp4')).id] }),
  'content.createDocument': async () =>
    draftBody({ connections: [testStack.documentConnections[0]], medias: [(await uploadMedia(makePdf(), 'scope.pdf')).id] }),
  'content.validate': async () => ({ options: { body: { type: 'text', connections: [bluesky], text: 'a' } } }),
  'content.update': async () => post(await createDraft(), { title: uniqueText('title') }),
  'content.publish': async () => post(await createDraft({ scheduledAt: timeAfter(dayMs) })),
  'content.publishNow': async () => post(await createScheduled()),
  'content.reschedule': async () => post(await createScheduled(), { scheduledAt: timeAfter(40 * dayMs) }),
  'content.unschedule': async () => post(await createScheduled()),
  'content.retry': async () => post(await failed()),
  'content.resolve': async () => {
    const { uploadId } = (await createPost({ connections: [testStack.unconfirmedConnection] })).data
    const { channels } = await waitUntilFinished(uploadId)
    const ids = { '/content': uploadId, channelId: channels[0]?.id ?? '' }
    return { ids, options: { body: { outcome: 'published', postUrl: 'https://example.com/found' } } }
  },
  'content.submit': async () => post(await createDraft({ scheduledAt: timeAfter(dayMs) }), { comment: 'Please look.' }),
  'content.approve': async () => {
    const { workspace, id, revision, approver } = await newSubmission()
    return { ids: { '/content': id }, options: { body: { revision }, workspace, key: approver } }
  },
  'content.requestChanges': async () => {
    const { workspace, id, approver } = await newSubmission()
    return { ids: { '/content': id }, options: { body: { comment: 'Which bells?' }, workspace, key: approver } }
  },
  'content.withdraw': async () => {
    const { workspace, id } = await newSubmission()
    return { ids: { '/content': id }, options: { workspace } }
  },
  'content.archive': async () => post(await createDraft()),
  'content.unarchive': async () => {
    const id = await createDraft()
    await callData(`PATCH /content/${id}/archive`)
    return post(id)
  },
  'content.bulkDelete': async () => posts(await createDraft()),
  'content.bulkArchive': async () => posts(await createDraft()),
  'content.bulkUnarchive': async () => posts(await createDraft()),
  'content.bulkRetry': async () => posts(await failed()),
  'content.bulkLabel': async () => ({ options: { body: { ids: [await createDraft()], add: [(await newLabel()).id] } } }),
  'content.bulkReschedule': async () => ({
    options: { body: { ids: [await createScheduled()], scheduledAt: timeAfter(50 * dayMs) } },
  }),
  'media.upload': async () => ({ options: { form: formOf(['file', fileOf(makePng(32), 'scope.png')]) } }),
  'media.update': async () => ({
    ids: { '/media': (await uploadMedia(makePng(33), 'scope.png')).id },
    options: { body: { alt: uniqueText('alt') } },
  }),
  'media.bulkDelete': async () => posts((await uploadMedia(makePng(34), 'scope.png')).id),
  'media.bulkTag': async () => ({
    options: { body: { ids: [(await uploadMedia(makePng(36), 'scope.png')).id], add: [uniqueText('tag')] } },
  }),
  'media.bulkMove': async () => ({
    options: { body: { ids: [(await uploadMedia(makePng(37), 'scope.png')).id], folderId: (await newFolder()).id } },
  }),
  'media.createFolder': async () => ({ options: { body: { name: uniqueText('Scope') } } }),
  'media.updateFolder': async () => ({
    ids: { '/media/folders': (await newFolder()).id },
    options: { body: { name: uniqueText('Scope') } },
  }),
  'media.fetch': async () => ({ options: { body: { url: await fileAddress() } } }),
  'me.update': async () => ({ options: { body: { theme: null } } }),
  'media.createUploadTicket': async () => ({ options: { body: { alt: 'x' } } }),
  'media.startUpload': async () => ({ options: { body: { name: 'scope.png', sizeBytes: 100 } } }),
  'media.completeUpload': async () => {
    const bytes = makePng(35)
    const body = { name: 'parts.png', sizeBytes: bytes.length }
    const upload = await callData<MediaUpload>('POST /media/uploads', { body })
    const sent = await fetch(upload.parts[0]?.url ?? '', { method: 'PUT', body: bytes })
    const parts = [{ partNumber: 1, etag: sent.headers.get('etag') ?? '' }]
    return { ids: { '/media/uploads': upload.id }, options: { body: { parts } } }
  },
  'ai.generateContent': async () => ({ options: { body: { uploadType: 'text', platforms: ['x'], text: uniqueText('about') } } }),
  'ai.suggestHashtags': async () => ({ options: { body: { platforms: ['x'], text: uniqueText('about') } } }),
  'analytics.sync': async () => ({}),
  'content.enqueue': async () => {
    const { id } = await newQueue()
    return post(await createDraft(), { queue: id })
  },
  'queues.create': async () => ({ options: { body: { name: uniqueText('Scope') } } }),
  'queues.update': async () => ({ ids: { '/queues': (await newQueue()).id }, options: { body: { name: uniqueText('Scope') } } }),
  'queues.reflow': async () => ({ ids: { '/queues': (await newQueue()).id } }),
  'series.create': async () => ({ options: { body: seriesBody() } }),
  'series.preview': async () => ({ options: { body: rule() } }),
  'series.update': async () => ({ ids: { '/series': (await newSeries()).id }, options: { body: { name: uniqueText('Scope') } } }),
  'series.skip': async () => {
    const { id, occurrences } = await newSeries()
    return { ids: { '/series': id }, options: { body: { date: occurrences[0]?.date } } }
  },
  'series.approve': async () => {
    const { workspace, slug, approver } = await newFourEyes('programs')
    const { id, revision } = await callData<Series>('POST /series', { body: seriesBody(slug), workspace })
    return { ids: { '/series': id }, options: { body: { revision }, workspace, key: approver } }
  },
  'labels.create': async () => ({ options: { body: { name: uniqueText('Scope'), color: 'teal' } } }),
  'labels.update': async () => ({ ids: { '/labels': (await newLabel()).id }, options: { body: { name: uniqueText('Scope') } } }),
  'imports.create': async () => ({ options: { body: { ...fileOfPosts(), dryRun: false } } }),
  'imports.run': async () => {
    const { id } = await callData<{ id: string }>('POST /imports', { body: fileOfPosts() })
    return { ids: { '/imports': id }, options: { body: { dryRun: false } } }
  },
  'connectLinks.create': async () => ({ options: { body: { platforms: ['bluesky'] } } }),
  'developerApps.save': async () => {
    const { id: workspace } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Scope of apps' } })
    return { options: { body: { platform: 'x', clientId: 'id', clientSecret: 'secret' }, workspace } }
  },
  'notices.markRead': async () => ({ options: { body: {} } }),
  'notices.updateSettings': async () => ({ options: { body: { digestHour: 9 } } }),
  'approvalLinks.create': async () => {
    const id = await createDraft({ connections: [bluesky], text: uniqueText('scope') })
    return { options: { body: { posts: [id] } } }
  },
  'comments.create': async () => post(await createDraft(), { text: uniqueText('scope') }),
  'comments.update': async () => {
    const id = await createDraft()
    const { id: commentId } = await callData<{ id: string }>(`POST /content/${id}/comments`, { body: { text: 'Nine?' } })
    return { ids: { '/content': id, commentId }, options: { body: { text: uniqueText('scope') } } }
  },
  'calendarFeed.create': async () => ({ options: { body: { texts: false } } }),
  'notes.create': async () => ({ options: { body: { startsOn: '2031-05-01', text: uniqueText('scope') } } }),
  'notes.update': async () => {
    const body = { startsOn: '2031-05-01', text: uniqueText('scope') }
    return {
      ids: { '/notes': (await callData<Note>('POST /notes', { body })).id },
      options: { body: { text: uniqueText('scope') } },
    }
  },
  'accountWebhooks.create': async () => ({ options: { body: ofAccount } }),
  'accountWebhooks.update': async () => ({ ids: await newAccountWebhook(), options: { body: { active: false } } }),
  'accountWebhooks.test': async () => ({ ids: await newAccountWebhook() }),
  'accountWebhooks.rotateSecret': async () => ({ ids: await newAccountWebhook() }),
  'webhooks.create': async () => ({
    options: { body: { url: 'https://127.0.0.1:9/new', events: ['connection.needs_reconnect'] } },
  }),
  'webhooks.update': async () => ({ ids: { '/webhooks': (await newWebhook()).id }, options: { body: { active: false } } }),
  'webhooks.test': async () => ({ ids: { '/webhooks': (await newWebhook()).id } }),
  'webhooks.redeliver': async () => {
    const { id } = await newWebhook()
    const delivery = await callData<Delivery>(`POST /webhooks/${id}/test`)
    return { ids: { '/webhooks': id, deliveryId: delivery.id } }
  },
  'webhooks.redeliverFailed': async () => ({ ids: { '/webhooks': (await newWebhook()).id } }),
  'webhooks.rotateSecret': async () => ({ ids: { '/webhooks': (await newWebhook()).id } }),
  'workspaces.create': async () => ({ options: { body: { name: uniqueText('Scope') } } }),
  'workspaces.update': async () => ({
    ids: { '/workspaces': (await callData<{ id: string }>('POST /workspaces', { body: { name: 'Renamed' } })).id },
    options: { body: { name: uniqueText('Scope') } },
  }),
  'workspaces.revoke': async () => {
    const [account] = await connectAccounts(uniqueText('scope').replace(' ', '-'), 'x')
    return { ids: { ...home, connId: account?.id ?? '' } }
  },
  'workspaces.chooseTarget': async () => {
    const all = await callData<Connection[]>(`GET ${at}/connections`)
    const chooser = all.find(({ slug }) => slug === testStack.pagesConnection)
    return { ids: { ...home, connId: chooser?.id ?? '' }, options: { body: { targetId: chooser?.targets?.[0]?.id } } }
  },
  'workspaces.updateConnection': async () => {
    const [account] = await callData<Connection[]>(`GET ${at}/connections`)
    return { ids: { ...home, connId: account?.id ?? '' }, options: { body: { externalId: null } } }
  },
  'workspaces.updateMember': async () => {
    const { id } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Scope of members' } })
    await inviteAndAccept(id, 'other@example.com', 'viewer')
    const members = await callData<{ userId: string; role: string }[]>(`GET /workspaces/${id}/members`)
    const userId = members.find(({ role }) => role === 'viewer')?.userId ?? ''
    return { ids: { '/workspaces': id, userId }, options: { body: { role: 'editor' } } }
  },
  'workspaces.invite': async () => ({
    ids: home,
    options: { body: { email: `${uniqueText('scope').replace(' ', '-')}@example.com`, role: 'viewer' } },
  }),
  'reports.create': async () => ({
    ids: home,
    options: { body: { title: uniqueText('Scope'), from: '2026-10-01', to: '2026-10-31' } },
  }),
  'workspaces.createApiKey': async () => ({ ids: home, options: { body: { label: uniqueText('scope') } } }),
}

const changing = endpoints.filter(({ method }) => method === 'POST' || method === 'PATCH')

/** Sends the same request with the same key again, then another body where the endpoint has one. */
async function sendTwice(endpoint: Endpoint, key: string) {
  const { ids = {}, options = {} } = (await requests[endpoint.id]?.()) ?? {}
  const route = `${endpoint.method} ${pathFor(endpoint, ids)}`
  const withKey = { ...options, headers: { 'idempotency-key': key } }
  const first = await call<Media>(route, withKey)
  const second = await call<Media>(route, withKey)
  return {
    statuses: [first.status, second.status],
    replayed: [first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')],
    sameText: first.text === second.text,
    secret: second.headers.get('idempotent-secret'),
    tooLong: (await call(route, { ...options, headers: { 'idempotency-key': 'k'.repeat(256) } })).error?.details?.[0]?.path,
  }
}

/**
 * One key for all routes: it belongs to its route, so on each of them the first request is a new one. Only a secret is not repeated.
 */
row(
  'D 1 idempotent scope',
  async () => {
    expect(Object.keys(requests).toSorted()).toEqual(changing.map(({ id }) => id).toSorted())
    const key = uniqueText('every route')
    for (const endpoint of changing)
      expect({ id: endpoint.id, ...(await sendTwice(endpoint, key)) }).toEqual({
        id: endpoint.id,
        statuses: [endpoint.ok, endpoint.ok],
        replayed: [null, 'true'],
        // This stack sends mail, and then the answer to an invitation has no link that could be left out.
        sameText: endpoint.returnsSecret !== true || endpoint.id === 'workspaces.invite',
        secret: endpoint.returnsSecret ? 'omitted' : null,
        tooLong: 'Idempotency-Key',
      })
  },
  240_000,
)
