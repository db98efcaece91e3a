import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Media } from '../../state/entities.ts'
import { createSnowflake } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { fail, invalid } from './errors.ts'
import { mediaRules } from './media-rules.ts'
import { serverOf, type ServerKind } from './server-kinds.ts'
import { viewMedia } from './status.ts'

export function mediaRoutes(context: PlatformContext): Route[] {
  const nextId = createSnowflake(0, 16n)
  const isReady = ({ readyAtMs }: Media) => readyAtMs <= context.now()
  const load = (call: Call, { account }: Session): Media => {
    const media = context.simulator.media.find(context.name, call.params['id'] ?? '')
    if (!media || media.account !== account) throw fail(404)
    if (media.isFailing === true && isReady(media)) throw fail(422, 'Error processing thumbnail for uploaded media')
    return media
  }

  const upload = (call: Call, { account }: Session) => {
    const file = call.files.get('file')
    if (!file) throw invalid("File can't be blank")
    const server = serverOf(account)
    if (!server.mimes.includes(file.mime)) throw invalid('File content type is invalid')
    const isImage = file.mime.startsWith('image/')
    if (file.bytes.length > (isImage ? server.imageBytesMax : mediaRules.videoBytesMax))
      throw invalid('File file size is too big')
    const alt = readAlt(call, server)
    const readyAtMs = context.now() + (isImage ? 0 : context.settings.processingMs)
    const media = context.simulator.media.add(context.name, {
      id: nextId(context.now()),
      account,
      mime: file.mime,
      bytes: file.bytes,
      alt,
      readyAtMs,
      isFailing: !isImage && context.settings.processingFails,
    })
    return json(isReady(media) ? 200 : 202, viewMedia(context, media, isReady(media)))
  }

  const charges = [{ limit: 'api', cost: 1 }]
  return [
    {
      method: 'POST',
      path: '/api/v2/media',
      operation: 'stage',
      scope: 'write:media',
      charges: [{ limit: 'media', cost: 1 }, ...charges],
      handle: upload,
    },
    {
      method: 'GET',
      path: '/api/v1/media/:id',
      operation: 'stage',
      scope: 'write:media',
      charges,
      handle(call, session) {
        const media = load(call, session)
        return json(isReady(media) ? 200 : 206, viewMedia(context, media, isReady(media)))
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/media/:id',
      operation: 'stage',
      scope: 'write:media',
      charges,
      handle(call, session) {
        const media = load(call, session)
        media.alt = readAlt(call, serverOf(session.account))
        return json(200, viewMedia(context, media, isReady(media)))
      },
    },
  ]
}

function readAlt(call: Call, { altMax }: ServerKind): string {
  const alt = textOf(call.fields?.['description']) ?? ''
  if (alt.length > altMax) throw invalid(`Description is too long (maximum is ${altMax} characters)`)
  return alt
}

/** The checks of Mastodon's PostStatusService, with its order and messages. */
export function takeMedia(context: PlatformContext, { account, ids }: { account: Account; ids: readonly string[] }): Media[] {
  const { attachmentsMax } = serverOf(account)
  if (ids.length > attachmentsMax) throw invalid(`Cannot attach more than ${attachmentsMax} files`)
  const found = ids.map((id) => context.simulator.media.find(context.name, id))
  const media = found.filter((one) => one !== undefined).filter((one) => one.account === account && one.attachedTo === undefined)
  const missing = ids.filter((id) => !media.some((one) => one.id === id))
  if (missing.length > 0) throw invalid(`Media ${missing.join(', ')} not found or already attached to another post`)
  if (media.length > 1 && media.some(({ mime }) => !mime.startsWith('image/'))) {
    throw invalid('Cannot attach a video to a post that already contains images')
  }
  if (media.some(({ readyAtMs, isFailing }) => readyAtMs > context.now() || isFailing === true)) {
    throw invalid('Cannot attach files that have not finished processing. Try again in a moment!')
  }
  return media
}
