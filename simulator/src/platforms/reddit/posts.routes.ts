import type { Call } from '../../http/call.ts'
import { isFields, listOf, textOf, type Fields } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account, Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { formError, refusal, ruleBroken, tooLong } from './errors.ts'
import { type RedditComment, type RedditPost, type Tables, viewComment } from './post.ts'
import { checkSubreddit, flairsOf, isLocked, type PostKind, wantsFlair } from './subreddits.ts'

const titleMax = 300
const textMax = 40_000
const commentMax = 10_000
const captionMax = 180
const galleryMax = 20

export function countText(text: string): number {
  return [...text].length
}

export function postRoutes(context: PlatformContext, { posts, comments }: Tables): Route[] {
  const nextId = () => (1_500_000_000 + context.nextNumber()).toString(36)

  type New = { kind: PostKind; fields: Fields; target: string; assets: readonly string[] }

  const publish = (call: Call, account: Account, { kind, fields, target, assets }: New): RedditPost => {
    const title = (textOf(fields['title']) ?? '').replaceAll(/\s+/g, ' ').trim()
    const text = (textOf(fields['text']) ?? '').trim()
    const subreddit = checkSubreddit(account, textOf(fields['sr']), kind)
    if (title === '') throw formError('NO_TEXT')
    if (countText(title) > titleMax) throw tooLong('title', titleMax)
    if (countText(text) > textMax) throw tooLong('text', textMax)
    const { id: flairId, flair } = readFlair(fields, subreddit)
    const isChecked = String(fields['validate_on_submit']).toLowerCase() === 'true'
    if (isChecked && wantsFlair(subreddit) && flairId === undefined)
      throw ruleBroken('SUBMIT_VALIDATION_FLAIR_REQUIRED', 'Your post must contain post flair.', 'flair')
    if (kind === 'link' && isKnown(subreddit, target) && String(fields['resubmit']).toLowerCase() === 'false')
      throw formError('ALREADY_SUB')
    if (isTooEager(account)) throw formError('RATELIMIT')
    const media = assets.map((asset) => takeMedia(account, asset))
    const atMs = context.now()
    const shownAtMs = kind === 'image' ? context.readyAtMs(context.settings.imageProcessingMs) : atMs
    const short = nextId()
    const words = title.toLowerCase().replaceAll(/\W+/g, '_').slice(0, 50)
    const place = subreddit.startsWith('u_') ? `user/${subreddit.slice(2)}` : `r/${subreddit}`
    const url = `${context.origin}/${place}/comments/${short}/${words || '_'}/`
    const request = { ...fields, ...(kind === 'link' && { link: target }) }
    const head = { platform: context.name, id: `t3_${short}`, account, text, url, replyTo: null, atMs, deleted: false, media }
    const post: RedditPost = { ...head, request, kind, title, subreddit, target, flair, assets, shownAtMs }
    // A file that cannot be converted ends without a post, which only a socket tells.
    if (kind === 'image' && context.settings.processingFails) return post
    posts.set(post.id, post)
    context.commit(post, call)
    return post
  }

  const isKnown = (subreddit: string, target: string) =>
    [...posts.values()].some((each) => !each.deleted && each.subreddit === subreddit && each.target === target)

  /** New accounts may post once in ten minutes. */
  const isTooEager = ({ handle, posts: own }: Account) =>
    handle.startsWith('young_') && own.some(({ atMs }) => atMs > context.now() - 600_000)

  const takeMedia = (account: Account, asset: string): Media => {
    const media = context.simulator.media.find(context.name, asset)
    if (media?.account !== account) throw formError('BAD_URL')
    media.attachedTo = asset
    return media
  }

  const submit = (call: Call, account: Account): Reply => {
    const { fields = {} } = call
    const kind = textOf(fields['kind'])
    const target = textOf(fields['url']) ?? ''
    if (kind === 'self') return created(publish(call, account, { kind, fields, target: '', assets: [] }))
    if (kind !== 'link' && kind !== 'image') throw formError('INVALID_OPTION')
    if (!/^https?:$/.test(URL.parse(target)?.protocol ?? '')) throw formError('BAD_URL')
    if (kind === 'link') return created(publish(call, account, { kind, fields, target, assets: [] }))
    const asset = target.split('/').at(-1) ?? ''
    const mime = context.simulator.media.find(context.name, asset)?.mime ?? 'image/png'
    publish(call, account, {
      kind,
      fields,
      target: `https://i.redd.it/${asset}.${mime.slice(6).replace('jpeg', 'jpg')}`,
      assets: [asset],
    })
    const page = `https://www.reddit.com/user/${account.handle}/submitted/`
    return json(200, { json: { errors: [], data: { user_submitted_page: page, websocket_url: `wss://wss.example/${asset}` } } })
  }

  const created = ({ url, id }: RedditPost): Reply =>
    json(200, { json: { errors: [], data: { url: publicUrl(url), id: id.slice(3), name: id } } })

  /** Its answer comes at once, and has the whole name as the id. */
  const submitGallery = (call: Call, account: Account): Reply => {
    const { fields } = call
    const items = listOf(fields?.['items']).filter(isFields)
    if (!fields || items.length < 2 || items.length > galleryMax) throw refusal(400)
    for (const { caption } of items) if ((textOf(caption) ?? '').length > captionMax) throw tooLong('caption', captionMax)
    const assets = items.map(({ media_id: id }) => textOf(id) ?? '')
    const { id, url } = publish(call, account, { kind: 'gallery', fields, target: '', assets })
    return json(200, { json: { errors: [], data: { url: publicUrl(url), id } } })
  }

  const comment = (call: Call, account: Account): Reply => {
    const { fields = {} } = call
    const text = (textOf(fields['text']) ?? '').trim()
    const parentId = textOf(fields['thing_id']) ?? ''
    const parent = posts.get(parentId) ?? comments.get(parentId)
    if (!parent) throw formError('NO_THING_ID')
    if (parent.deleted) throw formError('DELETED_COMMENT')
    if (text === '') throw formError('NO_TEXT')
    if (countText(text) > commentMax) throw tooLong('text', commentMax)
    if (isLocked(parent.subreddit)) throw formError('THREAD_LOCKED')
    const short = nextId()
    const linkId = 'linkId' in parent ? parent.linkId : parent.id
    const url = `${posts.get(linkId)?.url ?? ''}${short}/`
    const head = { platform: context.name, id: `t1_${short}`, account, text, url, replyTo: parentId, atMs: context.now() }
    const made: RedditComment = { ...head, deleted: false, media: [], subreddit: parent.subreddit, linkId, parentId }
    comments.set(made.id, made)
    context.commit(made, call)
    const isRaw = call.query.get('raw_json') === '1'
    return json(200, { json: { errors: [], data: { things: [viewComment(made, isRaw)] } } })
  }

  const charges = [{ limit: 'queries', cost: 1 }]
  const route = { method: 'POST', operation: 'submit', scope: 'submit', charges } as const
  return [
    { ...route, path: '/api/submit', readSubmit, handle: (call, { account }) => submit(call, account) },
    { ...route, path: '/api/submit_gallery_post.json', readSubmit, handle: (call, { account }) => submitGallery(call, account) },
    { ...route, path: '/api/comment', readSubmit: readComment, handle: (call, { account }) => comment(call, account) },
    {
      method: 'POST',
      path: '/api/del',
      operation: 'remove',
      scope: 'edit',
      charges,
      // An id that is not one's own is left alone, and nothing is said.
      handle({ fields = {} }, { account }) {
        const id = textOf(fields['id']) ?? ''
        const found = posts.get(id) ?? comments.get(id)
        if (found?.account === account) found.deleted = true
        return json(200, {})
      },
    },
  ]
}

/** The pages for people are on another host than the API. */
function publicUrl(url: string): string {
  return `https://www.reddit.com${new URL(url).pathname.replace(/^\/reddit/, '')}`
}

function readFlair(fields: Fields, subreddit: string) {
  const id = textOf(fields['flair_id'])
  const flair = flairsOf(subreddit).find((each) => each.id === id)
  // A flair that the subreddit does not have is a bad request without a reason.
  if (id !== undefined && !flair) throw refusal(400)
  return { id, flair }
}

function readSubmit({ fields = {} }: Call): SubmitRequest {
  return { operation: 'submit', text: (textOf(fields['text']) ?? '').trim(), key: null, replyTo: null }
}

function readComment({ fields = {} }: Call): SubmitRequest {
  const replyTo = textOf(fields['thing_id']) ?? null
  return { operation: 'comment', text: (textOf(fields['text']) ?? '').trim(), key: null, replyTo }
}
