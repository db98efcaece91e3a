import type { Call } from '../../http/call.ts'
import { isFields, listOf, textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { badParameter } from '../meta/graph-errors.ts'
import { badLink, badPhoto, duplicatePost, ownLink, usedPhoto } from './errors.ts'
import { requirePage } from './pages.ts'
import { commitPost, type FacebookPost, type Photo, type Tables } from './post.ts'

const messageMax = 63_206
const photosMax = 10
const photoBytesMax = 10_000_000
/** Unpublished photos are deleted after about a day. */
const photoLifetimeMs = 86_400_000
const signatures = ['ffd8ff', '89504e47', '47494638', '424d', '49492a00', '4d4d002a']
const mimes = ['image/jpeg', 'image/png', 'image/gif', 'image/bmp', 'image/tiff', 'image/tiff']

export function feedRoutes(context: PlatformContext, tables: Tables): Route[] {
  const { photos, posts, nextId } = tables

  const takePhoto = (id: string, account: Account): Photo => {
    const photo = photos.get(id)
    const isKept = photo !== undefined && (photo.isUsed || photo.uploadedAtMs + photoLifetimeMs > context.now())
    if (photo?.account !== account || !isKept) throw badParameter('(#100) Invalid parameter: media_fbid')
    return photo
  }

  /** The same text twice in a row is refused; so is nothing else. */
  const isDuplicate = (
    account: Account,
    { text, link, media }: { text: string; link: string | undefined; media: readonly Media[] },
  ) => {
    const last = account.posts.findLast(({ replyTo }) => replyTo === null)
    const post = last && posts.get(last.id)
    return (
      context.settings.duplicateFilter === true &&
      post !== undefined &&
      !post.deleted &&
      media.length === 0 &&
      post.media.length === 0 &&
      post.text === text &&
      post.link === link
    )
  }

  const create = (call: Call, session: Session): Reply => {
    requirePage(call, session)
    const { account } = session
    const text = call.parameter('message') ?? ''
    const link = call.parameter('link')
    const attached = readAttached(call).map((id) => takePhoto(id, account))
    const media = attached.map((photo) => photo.media)
    if (text.length > messageMax) throw badParameter(`(#100) Param message must be at most ${messageMax} characters long.`)
    if (text === '' && link === undefined && media.length === 0)
      throw badParameter('(#100) The parameter message, link or attached_media is required')
    if (media.length > photosMax) throw badParameter(`(#100) At most ${photosMax} photos can be attached.`)
    if (link !== undefined) checkLink(link)
    if (isDuplicate(account, { text, link, media })) throw duplicatePost()
    for (const photo of attached) photo.isUsed = true
    const post = commitPost(context, tables, call, { account, text, media, kind: 'feed', link })
    return json(200, view(call, post))
  }

  /** One photo, as a file or from an address. Published photos are a post of their own; others wait to be attached. */
  const addPhoto = (call: Call, session: Session): Reply => {
    requirePage(call, session)
    const { account } = session
    const file = call.files.get('source')
    if (!file) throw badParameter('(#324) Requires upload file')
    const at = signatures.findIndex((hex) => file.bytes.toString('hex', 0, hex.length / 2) === hex)
    const mime = mimes[at]
    if (mime === undefined || file.bytes.length > photoBytesMax) throw badPhoto()
    const alt = call.parameter('alt_text_custom') ?? ''
    const id = nextId()
    const isPublished = call.parameter('published') !== 'false'
    const readyAtMs = context.now()
    const media = context.simulator.media.add(context.name, { id, account, mime, bytes: file.bytes, alt, readyAtMs })
    photos.set(id, { media, account, uploadedAtMs: context.now(), isUsed: isPublished })
    if (!isPublished) return json(200, { id })
    const text = call.parameter('caption') ?? ''
    const post = commitPost(context, tables, call, { account, text, media: [media], kind: 'feed' })
    return json(200, { id, post_id: post.id })
  }

  /** What is shown in a story may not have been in a post. */
  const addPhotoStory = (call: Call, session: Session): Reply => {
    requirePage(call, session)
    const { account } = session
    const id = call.parameter('photo_id') ?? ''
    const photo = takePhoto(id, account)
    if (photo.isUsed) throw usedPhoto()
    photo.isUsed = true
    const post = commitPost(context, tables, call, { account, text: '', media: [photo.media], kind: 'story', mediaId: id })
    return json(200, { success: true, post_id: post.id })
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  const scope = 'pages_manage_posts'
  return [
    {
      method: 'POST',
      path: '/v26.0/:page/feed',
      operation: 'submit',
      scope,
      charges,
      readSubmit: (call) => submitOf('create_post', call.parameter('message') ?? ''),
      handle: create,
    },
    {
      method: 'POST',
      path: '/v26.0/:page/photos',
      operation: ({ fields = {} }) => (fields['published'] === 'false' ? 'stage' : 'submit'),
      scope,
      charges,
      readSubmit: (call) =>
        call.parameter('published') === 'false' ? undefined : submitOf('create_photo', call.parameter('caption') ?? ''),
      handle: addPhoto,
    },
    {
      method: 'POST',
      path: '/v26.0/:page/photo_stories',
      operation: 'submit',
      scope,
      charges,
      readSubmit: (call) => ({ ...submitOf('photo_story', ''), key: call.parameter('photo_id') ?? null }),
      handle: addPhotoStory,
    },
  ]
}

function submitOf(operation: string, text: string): SubmitRequest {
  return { operation, text, key: null, replyTo: null }
}

/** An answer to a write contains the fields that the call requests. */
function view(call: Call, { id, url }: FacebookPost) {
  return { id, ...(call.query.get('fields')?.includes('permalink_url') === true && { permalink_url: url }) }
}

/** A list in JSON, or one in a form. */
function readAttached({ fields = {} }: Call): string[] {
  const given = fields['attached_media']
  const parsed: unknown = typeof given === 'string' ? parseJson(given) : given
  return listOf(parsed).map((each) => {
    const id = isFields(each) ? textOf(each['media_fbid']) : undefined
    if (id === undefined) throw badParameter('(#100) Invalid parameter: attached_media')
    return id
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A page that cannot be fetched fails the post. Here those are the pages of hosts that can never exist. */
function checkLink(link: string): void {
  const url = URL.parse(link)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname.endsWith('.invalid')) throw badLink()
  if (/(^|\.)facebook\.com$/.test(url.hostname)) throw ownLink()
}
