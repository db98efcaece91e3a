import type { Call } from '../../http/call.ts'
import { fetchFile } from '../../http/fetch-file.ts'
import { textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Media, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { denied, missing, serviceDisabled } from './errors.ts'
import { charges, listing, requireApproval, scope } from './locations.routes.ts'
import { mayPost, requireLocation } from './locations.ts'
import { readPost } from './read-post.ts'

const photoBytesMax = 5_000_000
/** By their first bytes. Files of tests are smaller than the 10 kB that Google wants, so nothing is too small here. */
const signatures: Readonly<Record<string, string>> = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e47' }
const yearMs = 365 * 86_400_000

/** Google takes no post with a telephone number in its text. A number of a country begins with a plus sign. */
const telephone = /\+\d[\d ()/-]{6,}\d/

/** `isRejected`: the review will find something. Such a post is never shown, and stays among those of its location. */
export type LocalPost = Post & { topicType: string; readyAtMs: number; isRejected: boolean }

/** My Business API v4, of which local posts are one of the last parts in use. */
export function postRoutes(context: PlatformContext, posts: Map<string, LocalPost>): Route[] {
  const locationOf = ({ params }: Call, session: Session): Account => {
    requireApproval(context)
    if (session.account.handle.startsWith('disabled-')) throw serviceDisabled()
    return requireLocation(context, `accounts/${params['account']}/locations/${params['location']}`, session)
  }

  const postOf = (call: Call, session: Session): LocalPost => {
    const location = locationOf(call, session)
    const post = posts.get(call.params['post'] ?? '')
    if (!post || post.deleted || post.account !== location) throw missing()
    return post
  }

  const create = (call: Call, session: Session): Reply => {
    const location = locationOf(call, session)
    if (!mayPost(location)) throw denied()
    const asked = readPost(call)
    const id = String(3_000_000_000_000_000_000n + BigInt(context.nextNumber()))
    const post: LocalPost = {
      platform: context.name,
      id,
      account: location,
      text: asked.summary,
      url: `${context.origin}/place?use=posts&lpsid=${id}`,
      replyTo: null,
      atMs: context.now(),
      deleted: false,
      media: [],
      request: asked.fields,
      topicType: asked.topicType,
      readyAtMs: context.readyAtMs(context.settings.processingMs),
      isRejected: telephone.test(asked.summary) || context.settings.processingFails,
    }
    posts.set(id, post)
    if (asked.photoUrl !== undefined) void addPhoto(context, post, asked.photoUrl, call)
    else if (!post.isRejected) context.commit(post, call)
    return json(200, view(context, post))
  }

  const list = (call: Call, session: Session): Reply => {
    const location = locationOf(call, session)
    const own = [...posts.values()]
      .filter((post) => post.account === location && !post.deleted && context.isVisible(post))
      .toReversed()
      .map((post) => view(context, post))
    // A location has posts from before, unless it is new.
    const all = location.handle.startsWith('new-') ? own : [...own, viewFirst(location)]
    return listing(call, 'localPosts', all, { default: 20, max: 100 })
  }

  const get = (call: Call, session: Session): Reply => {
    const post = postOf(call, session)
    if (!context.isVisible(post)) throw missing()
    return json(200, view(context, post))
  }

  const remove = (call: Call, session: Session): Reply => {
    const post = postOf(call, session)
    post.deleted = true
    return json(200, {})
  }

  const path = '/v4/accounts/:account/locations/:location/localPosts'
  const one = `${path}/:post`
  return [
    { method: 'POST', path, operation: 'submit', scope, charges, readSubmit, handle: create },
    { method: 'GET', path, operation: 'find', scope, charges, handle: list },
    { method: 'GET', path: one, operation: 'check', scope, charges, handle: get },
    { method: 'DELETE', path: one, operation: 'remove', scope, charges, handle: remove },
  ]
}

/** The photo is fetched after the answer. Without it there is no post, which its state tells. */
async function addPhoto(context: PlatformContext, post: LocalPost, url: string, call: Call): Promise<void> {
  const { account } = post
  // Nothing is decided before the file is here.
  const isFound = !post.isRejected
  const { readyAtMs } = post
  post.readyAtMs = Infinity
  const photo = isFound ? await fetchPhoto(context, account, url) : null
  post.readyAtMs = Math.max(readyAtMs, context.now())
  if (photo === null) {
    post.isRejected = true
    return
  }
  post.media = [photo]
  context.commit(post, call)
}

async function fetchPhoto(context: PlatformContext, account: Account, url: string): Promise<Media | null> {
  try {
    const { ok, mime, bytes } = await fetchFile(url, { userAgent: 'Google-Business-Media' })
    const signature = signatures[mime]
    if (!ok || signature === undefined || bytes.length > photoBytesMax) return null
    if (!bytes.toString('hex', 0, 8).startsWith(signature)) return null
    const id = `AF1Qip${context.nextNumber()}`
    const head = { id, account, mime, alt: '', readyAtMs: context.now(), fetchedFrom: url }
    return context.simulator.media.add(context.name, { ...head, bytes })
  } catch {
    return null
  }
}

function stateOf(context: PlatformContext, { readyAtMs, isRejected }: LocalPost): 'PROCESSING' | 'LIVE' | 'REJECTED' {
  if (readyAtMs > context.now()) return 'PROCESSING'
  return isRejected ? 'REJECTED' : 'LIVE'
}

function view(context: PlatformContext, post: LocalPost) {
  const { languageCode = 'en', callToAction, event, offer } = post.request ?? {}
  const state = stateOf(context, post)
  const time = new Date(post.atMs).toISOString()
  return {
    name: `${post.account.id}/localPosts/${post.id}`,
    languageCode,
    // A text without a word is left out, as in all JSON of Google.
    ...(post.text !== '' && { summary: post.text }),
    ...(callToAction !== undefined && { callToAction }),
    ...(event !== undefined && { event }),
    ...(offer !== undefined && { offer }),
    state,
    ...(post.media.length > 0 && {
      media: post.media.map(({ id }) => ({
        name: `${post.account.id}/media/localPosts/${id}`,
        mediaFormat: 'PHOTO',
        googleUrl: `https://lh3.googleusercontent.com/p/${id}`,
      })),
    }),
    ...(state === 'LIVE' && { searchUrl: post.url }),
    topicType: post.topicType,
    createTime: time,
    updateTime: time,
  }
}

function viewFirst({ id, createdAtMs }: Account) {
  const time = new Date(createdAtMs - yearMs).toISOString()
  const texts = { languageCode: 'en', summary: 'We are open.', topicType: 'STANDARD' }
  return { name: `${id}/localPosts/1`, ...texts, state: 'LIVE', createTime: time, updateTime: time }
}

function readSubmit({ fields = {} }: Call): SubmitRequest {
  return { operation: 'create_local_post', text: textOf(fields['summary']) ?? '', key: null, replyTo: null }
}
