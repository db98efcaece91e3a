import { createHash } from 'node:crypto'
import type { Call } from '../../http/call.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { refusal } from './errors.ts'
import { type Event, hasOwnId, isSigned, readEvent, tagOf } from './event.ts'

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
}

/** A media server as BUD-02 describes it. A file is named by the hash of its bytes, so the same one twice is one file. */
export function blossomRoutes(context: PlatformContext): Route[] {
  const checkAuthorization = (call: Call, purpose: string): Event => {
    const event = readAuthorization(call)
    if (!event || event.kind !== 24_242 || !hasOwnId(event) || !isSigned(event)) throw refusal('Invalid authorization event')
    if (tagOf(event, 't') !== purpose) throw refusal('The authorization is for something else')
    if (Number(tagOf(event, 'expiration') ?? 0) * 1000 < context.now()) throw refusal('The authorization has expired')
    if (event.created_at * 1000 > context.now() + 60_000) throw refusal('The authorization is from the future')
    return event
  }
  return [
    {
      method: 'PUT',
      path: '/upload',
      operation: 'stage',
      handle(call, { account }) {
        const { body, headers } = call
        const sha256 = createHash('sha256').update(body).digest('hex')
        const event = checkAuthorization(call, 'upload')
        if (!event.tags.some(([name, value]) => name === 'x' && value === sha256))
          throw refusal('The authorization is for another file')
        if (body.length === 0) throw refusal('The file is empty')
        const mime = headers['content-type']?.split(';')[0] ?? 'application/octet-stream'
        const id = `${sha256}.${extensions[mime] ?? 'bin'}`
        context.simulator.media.add(context.name, { id, account, mime, bytes: body, alt: '', readyAtMs: context.now() })
        const url = `${context.simulator.url}/media/${context.name}/${id}`
        return json(200, { url, sha256, size: body.length, type: mime, uploaded: Math.floor(context.now() / 1000) })
      },
    },
    {
      method: 'GET',
      path: '/list/:key',
      operation: 'other',
      handle(call) {
        checkAuthorization(call, 'list')
        const own = [...context.simulator.media.all().values()].filter(({ account }) => account.id === call.params['key'])
        return json(
          200,
          own.map(({ id, mime, sizeBytes }) => ({ sha256: id.split('.')[0], size: sizeBytes, type: mime })),
        )
      },
    },
  ]
}

export function readAuthorization({ headers }: Call): Event | undefined {
  const [, encoded = ''] = /^nostr (.+)$/i.exec(headers.authorization ?? '') ?? []
  try {
    return readEvent(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')))
  } catch {
    return undefined
  }
}
