import type { Call } from '../../http/call.ts'
import { fetchFile } from '../../http/fetch-file.ts'
import { isFields, listOf, textOf, type Fields } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Media, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { markRepeated, type SubmitRequest } from '../../state/submits.ts'
import { failure, refusal } from './errors.ts'
import { declare, kindOf } from './receiver-kinds.ts'

const filesMax = 20
const altMax = 5000
const slowMs = 2000

/** What became of a key. `readyAtMs` is when the answer changes from "later" to the result. */
type Work = { readyAtMs: number; post: Post | null; failure: string | null }

export function countText(text: string): number {
  return [...text].length
}

export function receiverRoutes(context: PlatformContext): Route[] {
  const posts = context.createTable<Post>('posts')
  const works = context.createTable<Work>('works')
  const keyOf = ({ id }: Account, key: string) => `${id}:${key}`

  const find = (account: Account, id: string | undefined): Post | undefined => {
    const post = posts.get(id ?? '')
    return post && !post.deleted && post.account === account ? post : undefined
  }

  const answerOf = ({ readyAtMs, post, failure: failed }: Work): Reply => {
    if (readyAtMs > context.now()) return json(202, { checkAfterSeconds: 1 })
    if (post) return json(200, { postId: post.id, postUrl: post.url, received: receivedOf(post) })
    return failed === null ? json(202, { checkAfterSeconds: 1 }) : failure(422, { code: failed })
  }

  const commit = (account: Account, data: Fields, { media, call }: { media: readonly Media[]; call: Call }): Post => {
    const id = String(context.nextNumber())
    const head = { platform: context.name, id, account, text: textOf(data['text']) ?? '', deleted: false, media }
    const replyTo = textOf(data['replyTo']) ?? null
    const post: Post = { ...head, url: `${context.origin}/@${account.handle}/${id}`, replyTo, atMs: context.now(), request: data }
    for (const one of media) one.attachedTo = id
    posts.set(id, post)
    context.commit(post, call)
    return post
  }

  /** Files are fetched after the answer, so their post is published later. */
  const fetchAndCommit = async (account: Account, data: Fields, { work, call }: { work: Work; call: Call }): Promise<void> => {
    try {
      const media: Media[] = []
      for (const file of filesOf(data)) {
        const { ok, mime, bytes } = await fetchFile(textOf(file['url']) ?? '', { userAgent: 'Receiver' })
        if (!ok || mime !== textOf(file['mimeType'])) throw new Error('not the file that was announced')
        const alt = (file['kind'] === 'document' ? textOf(data['title']) : undefined) ?? textOf(file['alt']) ?? ''
        const head = { id: String(context.nextNumber()), account, mime, bytes, alt, readyAtMs: context.now() }
        media.push(context.simulator.media.add(context.name, { ...head, fetchedFrom: textOf(file['url']) ?? '' }))
      }
      const { processingMs, imageProcessingMs, processingFails } = context.settings
      const isVideo = media.some(({ mime }) => mime.startsWith('video/'))
      work.readyAtMs = context.now() + (isVideo ? processingMs : imageProcessingMs)
      if (processingFails) work.failure = 'file_unprocessed'
      else work.post = commit(account, data, { media, call })
    } catch {
      work.failure = 'file_not_fetched'
    }
  }

  const publish = (call: Call, account: Account, data: Fields): Reply => {
    const kind = kindOf(account)
    const key = textOf(call.headers['idempotency-key']) ?? ''
    const known = works.get(keyOf(account, key))
    const recognisesKeys = kind.keys && context.settings.idempotencyKeys !== false
    // What failed was not published, so its key is free again.
    if (known && recognisesKeys && known.failure === null) {
      markRepeated(call)
      return answerOf(known)
    }
    checkPost(data, account)
    const replyTo = textOf(data['replyTo'])
    if (replyTo !== undefined && !find(account, replyTo)) throw refusal(404)
    const work: Work = { readyAtMs: 0, post: null, failure: null }
    if (recognisesKeys) works.set(keyOf(account, key), work)
    if (filesOf(data).length > 0) void fetchAndCommit(account, data, { work, call })
    else {
      work.post = commit(account, data, { media: [], call })
      if (kind.isSlow) work.readyAtMs = context.now() + slowMs
    }
    return kind.isMute ? json(200, { message: 'Workflow was started' }) : answerOf(work)
  }

  const read = ({ query }: Call, { account }: Session): Reply => {
    const { keys, isComplete } = kindOf(account)
    const key = query.get('key')
    if (key !== null && keys) {
      const work = works.get(keyOf(account, key))
      return work ? answerOf(work) : failure(404, { code: 'unknown_key' })
    }
    const wanted = query.getAll('figures')
    if (wanted.length > 0 && isComplete) {
      const found = wanted.flatMap((id) => find(account, id) ?? [])
      return json(200, { figures: Object.fromEntries(found.map((post) => [post.id, figuresOf(post)])) })
    }
    // Whatever a receiver does not know in the query it passes over.
    return json(200, declare(account, context.avatarUrlOf(account.handle)))
  }

  /** Comments are counted, unless a test set their number. */
  const figuresOf = ({ id, figures }: Post) => ({
    likes: 0,
    comments: [...posts.values()].filter(({ replyTo, deleted }) => replyTo === id && !deleted).length,
    ...figures,
  })

  return [
    {
      method: 'GET',
      path: '/',
      operation: ({ query }) => (query.has('key') ? 'find' : query.has('figures') ? 'metrics' : 'account'),
      handle: read,
    },
    {
      method: 'POST',
      path: '/',
      operation: (call) => (isRemoval(call) ? 'remove' : 'submit'),
      charges: [{ limit: 'posts', cost: 1 }],
      readSubmit: (call) => (isRemoval(call) ? undefined : readSubmit(call)),
      handle(call, { account }) {
        const data = call.fields?.['data']
        if (!isFields(data)) throw refusal(400, 'malformed')
        if (call.headers['webhook-id'] !== call.headers['idempotency-key']) throw refusal(400, 'malformed')
        if (!isRemoval(call)) return publish(call, account, data)
        if (!kindOf(account).isComplete) throw refusal(501)
        const post = find(account, textOf(data['postId']))
        if (!post) throw refusal(404)
        post.deleted = true
        return json(200, {})
      },
    },
  ]
}

function isRemoval({ fields }: Call): boolean {
  return fields?.['type'] === 'post.remove'
}

function filesOf(data: Fields): Fields[] {
  return listOf(data['media']).filter(isFields)
}

/** What a receiver shows of what it got, so that whoever sets it up can see that all of it arrived. */
function receivedOf({ text, media }: Post) {
  return { text, media: media.map(({ alt, mime, sizeBytes }) => ({ alt, mimeType: mime, sizeBytes })) }
}

function checkPost(data: Fields, account: Account): void {
  const { textMax, takesFiles, takesReplies } = kindOf(account)
  const text = textOf(data['text']) ?? ''
  const files = filesOf(data)
  if (text === '' && files.length === 0) throw refusal(422, 'text_missing')
  if (countText(text) > textMax) throw refusal(422, 'text_too_long')
  if (files.length > (takesFiles ? filesMax : 0)) throw refusal(422, 'file_kind')
  if (files.some(({ alt }) => countText(textOf(alt) ?? '') > altMax)) throw refusal(422, 'text_too_long')
  if (textOf(data['replyTo']) !== undefined && !takesReplies) throw refusal(501)
}

function readSubmit({ fields = {}, headers }: Call): SubmitRequest {
  const data = isFields(fields['data']) ? fields['data'] : {}
  return {
    operation: 'publish',
    text: textOf(data['text']) ?? '',
    key: textOf(headers['idempotency-key']) ?? null,
    replyTo: textOf(data['replyTo']) ?? null,
  }
}

/** What a reader of the page of a post wants to know about its request. */
export function describeRequest({ title, linkUrl }: Fields) {
  const url = textOf(linkUrl)
  const isLink = url !== undefined
  return {
    title: textOf(title),
    ...(isLink && { link: { url, title: textOf(title), description: undefined } }),
    hidden: ['format', 'text', 'title', 'linkUrl', 'media', 'replyTo'],
  }
}
