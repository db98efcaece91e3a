import type { Call } from '../../http/call.ts'
import { isFields, numberOf, textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { invalidRequest, forbid } from './problems.ts'

const altMax = 1000
const lifetimeSeconds = 86_400
const imageBytesMax = 5_000_000
const images = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

type Draft = { id: string; account: Account; mime: string; totalBytes: number; segments: Map<number, Buffer> }

export function mediaRoutes(context: PlatformContext, nextId: () => string): Route[] {
  const drafts = context.createTable<Draft>('drafts')
  const add = (media: { id: string; account: Account; mime: string; bytes: Buffer }) => {
    const isVideo = media.mime.startsWith('video/')
    const readyAtMs = context.now() + (isVideo ? context.settings.processingMs : 0)
    const isFailing = isVideo && context.settings.processingFails
    return context.simulator.media.add(context.name, { ...media, alt: '', readyAtMs, isFailing })
  }
  const load = (id: string | undefined, account: Account): Media => {
    const media = context.simulator.media.find(context.name, id ?? '')
    if (!media || media.account !== account) throw invalidRequest('Media id not found.', { media_id: [id ?? ''] })
    return media
  }
  const loadDraft = (call: Call, account: Account): Draft => {
    const draft = drafts.get(call.params['id'] ?? '')
    if (!draft || draft.account !== account) throw invalidRequest('Media id not found.')
    return draft
  }
  const view = (media: Media) => {
    const waitMs = media.readyAtMs - context.now()
    const isVideo = media.mime.startsWith('video/')
    const head = {
      id: media.id,
      media_key: `${isVideo ? 7 : 3}_${media.id}`,
      size: media.sizeBytes,
      expires_after_secs: lifetimeSeconds,
    }
    if (!isVideo) return { data: { ...head, image: { image_type: media.mime, w: 0, h: 0 } } }
    const info =
      waitMs > 0
        ? { state: 'in_progress', check_after_secs: 1, progress_percent: 50 }
        : media.isFailing === true
          ? { state: 'failed', error: { code: 1, name: 'InvalidMedia', message: 'Invalid video' } }
          : { state: 'succeeded', progress_percent: 100 }
    return { data: { ...head, processing_info: info } }
  }

  const upload = (call: Call, { account }: Session) => {
    const file = call.files.get('media')
    const base64 = textOf(call.fields?.['media'])
    const bytes = file?.bytes ?? (base64 === undefined ? undefined : Buffer.from(base64, 'base64'))
    if (!bytes) throw invalidRequest('$.media: is missing but it is required')
    const mime = file?.mime ?? textOf(call.fields?.['media_type']) ?? 'image/jpeg'
    if (!images.includes(mime)) throw invalidRequest(`media type ${mime} is not supported`)
    if (bytes.length > imageBytesMax) throw invalidRequest('File size exceeds 5242880 bytes.')
    return json(200, view(add({ id: nextId(), account, mime, bytes })))
  }

  const initialize = (call: Call, { account }: Session) => {
    const mime = textOf(call.fields?.['media_type'])
    const totalBytes = numberOf(call.fields?.['total_bytes'])
    if (mime === undefined || totalBytes === undefined) throw invalidRequest('media_type and total_bytes are required')
    const draft: Draft = { id: nextId(), account, mime, totalBytes, segments: new Map() }
    drafts.set(draft.id, draft)
    return json(200, { data: { id: draft.id, media_key: `7_${draft.id}`, expires_after_secs: lifetimeSeconds } })
  }

  const append = (call: Call, { account }: Session) => {
    const draft = loadDraft(call, account)
    const index = numberOf(call.fields?.['segment_index'])
    const bytes = call.files.get('media')?.bytes
    if (index === undefined || !bytes) throw invalidRequest('media and segment_index are required')
    draft.segments.set(index, bytes)
    // The answer's `data` is optional in the OpenAPI description, and version 1.1 documented an answer without a body.
    return { status: 204, headers: {}, body: '' }
  }

  const finalize = (call: Call, { account }: Session) => {
    const draft = loadDraft(call, account)
    const segments = [...draft.segments].toSorted(([one], [other]) => one - other).map(([, bytes]) => bytes)
    const bytes = Buffer.concat(segments)
    if (bytes.length !== draft.totalBytes) throw invalidRequest('Segments do not add up to provided total file size.')
    drafts.delete(draft.id)
    return json(200, view(add({ id: draft.id, account, mime: draft.mime, bytes })))
  }

  const describe = (call: Call, { account }: Session) => {
    const { id, metadata } = call.fields ?? {}
    const alt = isFields(metadata) && isFields(metadata['alt_text']) ? textOf(metadata['alt_text']['text']) : undefined
    const media = load(textOf(id), account)
    // docs.x.com, data dictionary of media: "Alt text can only be added to images at the moment".
    if (!media.mime.startsWith('image/')) throw invalidRequest('Alt text can only be added to images.')
    if (alt === undefined || alt.length > altMax) throw invalidRequest(`alt_text.text must be 1 to ${altMax} characters`)
    media.alt = alt
    return json(200, { data: { id: media.id, associated_metadata: { alt_text: { text: alt } } } })
  }

  const scope = 'media.write'
  const chunks = [{ limit: 'chunks', cost: 1 }]
  return [
    {
      method: 'POST',
      path: '/2/media/upload',
      operation: 'stage',
      scope,
      charges: [{ limit: 'uploads', cost: 1 }],
      handle: upload,
    },
    {
      method: 'GET',
      path: '/2/media/upload',
      operation: 'stage',
      scope,
      charges: [{ limit: 'uploadStatus', cost: 1 }],
      handle: (call, { account }) => json(200, view(load(call.query.get('media_id') ?? undefined, account))),
    },
    { method: 'POST', path: '/2/media/upload/initialize', operation: 'stage', scope, charges: chunks, handle: initialize },
    { method: 'POST', path: '/2/media/upload/:id/append', operation: 'stage', scope, charges: chunks, handle: append },
    { method: 'POST', path: '/2/media/upload/:id/finalize', operation: 'stage', scope, charges: chunks, handle: finalize },
    {
      method: 'POST',
      path: '/2/media/metadata',
      operation: 'stage',
      scope,
      charges: [{ limit: 'metadata', cost: 1 }],
      handle: describe,
    },
  ]
}

export function takeMedia(context: PlatformContext, account: Account, ids: readonly string[]): Media[] {
  const media = ids.map((id) => {
    const one = context.simulator.media.find(context.name, id)
    const isUsable = one?.account === account && one.readyAtMs <= context.now() && one.isFailing !== true
    if (!isUsable) throw invalidRequest('Your media IDs are invalid.')
    return one
  })
  const hasVideo = media.some(({ mime }) => mime.startsWith('video/') || mime === 'image/gif')
  if (hasVideo && media.length > 1) throw forbid('You are not permitted to perform this action.')
  return media
}
