import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account, Media } from '../../state/entities.ts'
import { createSnowflake } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { invalid, refusal } from './errors.ts'
import { isUnused, serverOf } from './server.ts'

const altMax = 1000
/** What no post shows is deleted after this time, every hour (app/Console/Commands/MediaGarbageCollector.php). */
const keptMs = 2 * 3_600_000

/** An upload that belongs to no post yet. */
export function findUpload(context: PlatformContext, account: Account, id: string): Media | undefined {
  const media = context.simulator.media.find(context.name, id)
  const isFree = media?.account === account && media.attachedTo === undefined
  return isFree && media.readyAtMs + keptMs > context.now() ? media : undefined
}

export function viewMedia(context: PlatformContext, { id, mime, alt }: Media) {
  const url = `${context.simulator.url}/media/${context.name}/${id}`
  const type = mime.startsWith('video/') ? 'video' : 'image'
  return { id, type, url, preview_url: url, remote_url: null, text_url: url, description: alt === '' ? null : alt }
}

export function mediaRoutes(context: PlatformContext): Route[] {
  const nextId = createSnowflake(0, 16n)
  const upload = (call: Call, account: Account): Reply => {
    const file = call.files.get('file')
    const alt = textOf(call.fields?.['description']) ?? ''
    const { mimes, photoBytesMax } = serverOf(account)
    if (!file) throw invalid('file', 'The file field is required.')
    if (!mimes.includes(file.mime)) throw invalid('file', `The file must be a file of type: ${mimes.join(', ')}.`)
    if (file.bytes.length > photoBytesMax)
      throw invalid('file', `The file must not be greater than ${photoBytesMax / 1000} kilobytes.`)
    if ([...alt].length > altMax) throw invalid('description', 'The description must not be greater than 1000 characters.')
    if (isUnused(account)) return json(200, [])
    if (account.handle.startsWith('full-')) throw refusal(403, 'Account size limit reached.')
    if (context.limits.charge(account, { limit: 'uploads', cost: 1 }, context.now())?.exceeded === true) throw refusal(429, '')
    const readyAtMs = context.now()
    const kept = { id: nextId(readyAtMs), account, mime: file.mime, bytes: file.bytes, alt, readyAtMs }
    return json(200, viewMedia(context, context.simulator.media.add(context.name, kept)))
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  return [
    {
      method: 'POST',
      path: '/api/v2/media',
      operation: 'stage',
      scope: 'write',
      charges,
      handle: (call, { account }) => upload(call, account),
    },
    {
      method: 'GET',
      path: '/api/v1/media/:id',
      operation: 'find',
      scope: 'read',
      charges,
      handle({ params }, { account }) {
        const media = findUpload(context, account, params['id'] ?? '')
        if (!media) throw refusal(404)
        return json(200, viewMedia(context, media))
      },
    },
  ]
}
