import type { Call } from '../../http/call.ts'
import { type Fields, isFields, listOf, numberOf, textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Media } from '../../state/entities.ts'
import { accountNumber, followersOf } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { type Board, boardsOf, mayWrite, viewBoard } from './boards.ts'
import { invalid, noBoard, noPin, refusal } from './errors.ts'
import { mediaStatus, type Registered } from './media.routes.ts'
import { type Pin, viewPin } from './pin.ts'

const textMax = { title: 100, description: 800, link: 2048, alt_text: 500 }
const [itemsMin, itemsMax] = [2, 5]
const imageBytesMax = 20_000_000
const pageMax = 250
const signatures: Record<string, string> = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e47' }

export function countText(text: string): number {
  return [...text].length
}

type Tables = { pins: Map<string, Pin>; registered: Map<string, Registered> }
type Source = { kind: Pin['kind']; media: Media[] }

export function pinRoutes(context: PlatformContext, { pins, registered }: Tables): Route[] {
  const nextId = () => accountNumber('pinterest', String(context.nextNumber()), 18)

  const readImage = (account: Account, { content_type: type, data }: Fields): Media => {
    const mime = textOf(type) ?? ''
    const signature = signatures[mime]
    if (signature === undefined) throw invalid('content_type', 'enum=image/jpeg,image/png')
    const bytes = Buffer.from(textOf(data) ?? '', 'base64')
    if (!bytes.toString('hex', 0, 8).startsWith(signature) || bytes.length > imageBytesMax)
      throw refusal(400, 1, 'Sorry! We could not process this image.')
    const head = { id: nextId(), account, mime, alt: '', readyAtMs: context.now() }
    return context.simulator.media.add(context.name, { ...head, bytes })
  }

  const readVideo = (account: Account, source: Fields): Media => {
    const id = textOf(source['media_id']) ?? ''
    if (registered.get(id)?.account !== account) throw refusal(404, 1, 'Media not found.')
    const hasCover = ['cover_image_url', 'cover_image_data', 'cover_image_key_frame_time'].some(
      (name) => source[name] !== undefined,
    )
    if (!hasCover) throw refusal(400, 1, 'One of cover_image_url, cover_image_data or cover_image_key_frame_time is required.')
    const atSeconds = source['cover_image_key_frame_time']
    if (atSeconds !== undefined && (!Number.isInteger(atSeconds) || Number(atSeconds) < 0))
      throw invalid('cover_image_key_frame_time', 'type=integer')
    const status = mediaStatus(context, id)
    const file = context.simulator.media.find(context.name, id)
    if (!file || status === 'registered' || status === 'processing') throw refusal(400, 1, 'The media is not ready yet.')
    if (status === 'failed') throw refusal(400, 1, 'The media could not be processed.')
    return file
  }

  /** The sandbox reaches no other server, so nothing is ever fetched here. */
  const readSource = (account: Account, source: Fields): Source => {
    const kind = textOf(source['source_type'])
    if (kind === 'image_base64') return { kind: 'image', media: [readImage(account, source)] }
    if (kind === 'video_id') return { kind: 'video', media: [readVideo(account, source)] }
    if (kind === 'multiple_image_base64') {
      const items = listOf(source['items']).filter(isFields)
      if (items.length < itemsMin) throw invalid('items', `minItems=${itemsMin}`)
      if (items.length > itemsMax) throw invalid('items', `maxItems=${itemsMax}`)
      return { kind: 'multiple_images', media: items.map((item) => readImage(account, item)) }
    }
    if (kind === 'image_url' || kind === 'multiple_image_urls') throw refusal(400, 1, 'Sorry we could not fetch the image.')
    throw invalid('media_source', 'oneOf')
  }

  const readBoard = (session: Session, id: string | undefined): Board => {
    const board = shownBoards(session).find((each) => each.id === id)
    if (!board) throw noBoard()
    if (!mayWrite(board)) throw refusal(401, 1, "You don't have permission to edit that board.")
    return board
  }

  const create = (call: Call, session: Session): Reply => {
    const { account } = session
    const { fields = {} } = call
    if (account.handle.startsWith('trial-')) throw trialOnly()
    for (const [name, max] of Object.entries(textMax))
      if (countText(textOf(fields[name]) ?? '') > max) throw invalid(name, `maxLength=${max}`)
    const [title = '', description = '', alt = ''] = ['title', 'description', 'alt_text'].map((name) => textOf(fields[name]))
    const link = textOf(fields['link'])
    if (link && !/^https?:$/.test(URL.parse(link)?.protocol ?? '')) throw invalid('link', 'format=uri')
    if (link && new URL(link).hostname.endsWith('.invalid'))
      throw refusal(400, 1, "Sorry! This site doesn't allow you to save Pins.")
    const board = readBoard(session, textOf(fields['board_id']))
    const sectionId = textOf(fields['board_section_id']) ?? null
    if (sectionId !== null && !board.sections.some(({ id }) => id === sectionId))
      throw refusal(404, 1, 'Board section not found.')
    const { kind, media } = readSource(account, isFields(fields['media_source']) ? fields['media_source'] : {})
    const id = nextId()
    const pin: Pin = {
      platform: context.name,
      id,
      account,
      text: description,
      url: `${context.origin}/pin/${id}/`,
      replyTo: null,
      atMs: context.now(),
      deleted: false,
      media,
      request: fields,
      boardId: board.id,
      sectionId,
      title,
      link: link || null,
      alt,
      kind,
    }
    for (const file of media) file.attachedTo = id
    pins.set(id, pin)
    context.commit(pin, call)
    return json(201, viewPin(pin, false))
  }

  const ownPin = ({ params }: Call, { account }: Session): Pin => {
    const pin = pins.get(params['id'] ?? '')
    if (!pin || pin.deleted || !context.isVisible(pin)) throw noPin()
    if (pin.account !== account) throw refusal(403, 403, 'Not authorized to access board or Pin.')
    return pin
  }

  /** Nothing says in which order pins are listed. */
  const listed = (account: Account) =>
    [...pins.values()].filter((pin) => pin.account === account && !pin.deleted && context.isVisible(pin)).toReversed()

  const read = [{ limit: 'read', cost: 1 }]
  const write = [{ limit: 'write', cost: 1 }]
  return [
    {
      method: 'GET',
      path: '/v5/user_account',
      operation: 'account',
      scope: 'user_accounts:read',
      charges: read,
      handle: (_, { account: { id, handle } }) =>
        json(200, {
          id,
          username: handle,
          account_type: 'BUSINESS',
          business_name: handle.startsWith('plain-') ? null : `The bells of ${handle}`,
          profile_image: context.avatarUrlOf(handle),
          website_url: '',
          board_count: 1,
          follower_count: followersOf({ platform: context.name, handle }),
        }),
    },
    {
      method: 'GET',
      path: '/v5/boards',
      operation: 'stage',
      scope: 'boards:read',
      charges: read,
      handle: (call, session) => {
        const own = listed(session.account)
        return pageOf(call, shownBoards(session), (board) =>
          viewBoard(board, own.filter(({ boardId }) => boardId === board.id).length),
        )
      },
    },
    {
      method: 'GET',
      path: '/v5/boards/:id/sections',
      operation: 'stage',
      scope: 'boards:read',
      charges: read,
      handle: (call, session) => pageOf(call, findBoard(session, call).sections, (section) => section),
    },
    {
      method: 'GET',
      path: '/v5/boards/:id/pins',
      operation: 'find',
      scope: 'boards:read pins:read',
      charges: read,
      handle: (call, session) => {
        const { id } = findBoard(session, call)
        return pageOf(
          call,
          listed(session.account).filter(({ boardId }) => boardId === id),
          (pin) => viewPin(pin, false),
        )
      },
    },
    {
      method: 'POST',
      path: '/v5/pins',
      operation: 'submit',
      scope: 'boards:read boards:write pins:read pins:write',
      charges: write,
      readSubmit,
      handle: create,
    },
    {
      method: 'GET',
      path: '/v5/pins/:id',
      operation: 'other',
      scope: 'boards:read pins:read',
      charges: read,
      handle: (call, session) => json(200, viewPin(ownPin(call, session), call.query.get('pin_metrics') === 'true')),
    },
    {
      method: 'DELETE',
      path: '/v5/pins/:id',
      operation: 'remove',
      scope: 'boards:read boards:write pins:read pins:write',
      charges: write,
      handle(call, { account }) {
        const pin = pins.get(call.params['id'] ?? '')
        if (!pin || pin.deleted || pin.account !== account) throw noPin()
        pin.deleted = true
        return { status: 204, headers: {}, body: '' }
      },
    },
  ]
}

const trialOnly = () =>
  refusal(
    403,
    29,
    'Apps with Trial access may not create Pins in production https://api.pinterest.com - use API Sandbox https://api-sandbox.pinterest.com instead.',
  )

/** Secret boards need a permission of their own. */
function shownBoards({ account, token }: Session): Board[] {
  return boardsOf(account).filter(({ privacy }) => privacy !== 'SECRET' || token.scopes?.has('boards:read_secret') === true)
}

function findBoard(session: Session, { params }: Call): Board {
  const board = shownBoards(session).find(({ id }) => id === params['id'])
  if (!board) throw noBoard()
  return board
}

/** A bookmark is a text in which the place of the next page is hidden. */
function pageOf<T>({ query }: Call, all: readonly T[], view: (one: T) => unknown): Reply {
  const size = numberOf(query.get('page_size') ?? undefined) ?? 25
  if (!(size >= 1 && size <= pageMax)) throw invalid('page_size', `maximum=${pageMax}`)
  const from = Number(Buffer.from(query.get('bookmark') ?? '', 'base64url').toString() || 0)
  const to = from + size
  return json(200, {
    items: all.slice(from, to).map(view),
    bookmark: to < all.length ? Buffer.from(String(to)).toString('base64url') : null,
  })
}

function readSubmit({ fields = {} }: Call): SubmitRequest {
  return { operation: 'create_pin', text: textOf(fields['description']) ?? '', key: null, replyTo: null }
}
