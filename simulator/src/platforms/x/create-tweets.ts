import type { Call } from '../../http/call.ts'
import { isFields, textOf, textsOf, type Fields } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Media } from '../../state/entities.ts'
import { readId } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { createDuplicateCheck } from './create-duplicate-check.ts'
import { takeMedia } from './media.routes.ts'
import { forbid, invalidRequest, notFound, problem } from './problems.ts'
import { viewTweet, type Tweet } from './tweet.ts'
import { weighText } from './weigh-text.ts'

const weightMax = 280
const longWeightMax = 25_000

/** Accounts that are verified, or pay, may write long posts. */
export function isLongAccount({ handle }: Pick<Account, 'handle'>): boolean {
  return handle.startsWith('verified-')
}
const knownFields = new Set(
  (
    'text media reply reply_settings poll quote_tweet_id edit_options community_id share_with_followers geo made_with_ai ' +
    'paid_partnership for_super_followers_only nullcast card_uri direct_message_deep_link'
  ).split(' '),
)
const noFields: ReadonlySet<string> = new Set()

export function createTweets(context: PlatformContext, nextId: () => string): { routes: Route[] } {
  const tweets = context.createTable<Tweet>('tweets')
  const duplicates = createDuplicateCheck(context)

  const find = (id: string) => {
    const tweet = tweets.get(id)
    return tweet?.deleted === true ? undefined : tweet
  }

  const findVisible = (id: string) => {
    const tweet = find(id)
    return tweet && context.isVisible(tweet) ? tweet : undefined
  }

  const create = (call: Call, { account }: Session) => {
    const fields = call.fields
    if (!fields) throw invalidRequest('The request body is not valid JSON.')
    for (const name of Object.keys(fields)) {
      if (!knownFields.has(name))
        throw invalidRequest(`$.${name}: is not defined in the schema and the schema does not allow additional properties`)
    }
    const media = readMedia(context, account, fields)
    const text = textOf(fields['text']) ?? ''
    // The description of the API in OpenAPI says that the service behind it refuses a request without this field.
    if (fields['text'] === undefined) throw invalidRequest('$.text: is missing but it is required')
    if (text.trim() === '' && media.length === 0) throw invalidRequest('$.text: is missing but it is required', { text: [text] })
    const replyTo = readReply(fields, account, { find, nowMs: context.now() })
    // The documented error for a text that is too long does not mention its length.
    if (weighText(text) > (isLongAccount(account) ? longWeightMax : weightMax))
      throw forbid('You are not permitted to perform this action.')
    if ((text.match(/(?<!\S)\$[A-Z]{1,6}\b/g)?.length ?? 0) > 1) throw forbid('Posts are limited to a maximum of one cashtag.')
    if (duplicates.has(account, text, media)) throw forbid('You are not allowed to create a Tweet with duplicate content.')

    const id = nextId()
    const url = `${context.origin}/${account.handle}/status/${id}`
    const tweet: Tweet = {
      platform: context.name,
      id,
      account,
      text,
      url,
      replyTo,
      atMs: context.now(),
      deleted: false,
      media,
      replies: 0,
      repliableAtMs: context.readyAtMs(),
      request: fields,
    }
    const parent = replyTo === null ? undefined : tweets.get(replyTo)
    if (parent) parent.replies += 1
    tweets.set(id, tweet)
    duplicates.add(tweet)
    context.commit(tweet, call)
    return json(201, { data: viewTweet(tweet, noFields) })
  }

  const list = (call: Call) => {
    const account = context.accounts.findById(call.params['id'] ?? '')
    if (!account) throw invalidRequest(`Could not find user with id: [${call.params['id']}].`)
    const max = Number(call.query.get('max_results') ?? 10)
    if (!(max >= 5 && max <= 100)) throw invalidRequest('The `max_results` query parameter value is not between 5 and 100')
    const since = readId(call.query.get('since_id') ?? '0')
    if (since === undefined) throw invalidRequest('The `since_id` query parameter value is not valid')
    const startMs = Date.parse(call.query.get('start_time') ?? '1970-01-01T00:00:00Z')
    if (!(startMs <= context.now())) throw invalidRequest('Invalid `start_time`: it must be a minimum of 10 seconds prior to now')
    const fields = fieldsOf(call)
    const data: unknown[] = []
    let newest: string | undefined
    let oldest: string | undefined
    for (let at = account.posts.length - 1; at >= 0 && data.length < max; at--) {
      const tweet = findVisible(account.posts[at]?.id ?? '')
      if (!tweet) continue
      if (BigInt(tweet.id) <= since || tweet.atMs < startMs) break
      newest ??= tweet.id
      oldest = tweet.id
      data.push(viewTweet(tweet, fields))
    }
    if (data.length === 0) return json(200, { meta: { result_count: 0 } })
    return json(200, { data, meta: { result_count: data.length, newest_id: newest, oldest_id: oldest } })
  }

  const lookUp = (call: Call) => {
    const ids = (call.query.get('ids') ?? '').split(',').filter((id) => id !== '')
    if (ids.length === 0 || ids.length > 100)
      throw invalidRequest('The number of values in the `ids` query parameter list is not between 1 and 100')
    const fields = fieldsOf(call)
    const data = ids.flatMap((id) => findVisible(id) ?? []).map((tweet) => viewTweet(tweet, fields))
    const errors = ids.filter((id) => !findVisible(id)).map((id) => notFound('ids', id))
    return json(200, { ...(data.length > 0 ? { data } : {}), ...(errors.length > 0 ? { errors } : {}) })
  }

  const lookUpOne = (call: Call) => {
    const id = call.params['id'] ?? ''
    const tweet = findVisible(id)
    return json(200, tweet ? { data: viewTweet(tweet, fieldsOf(call)) } : { errors: [notFound('id', id)] })
  }

  const remove = ({ params }: Call, { account }: Session) => {
    const tweet = find(params['id'] ?? '')
    if (!tweet) return problem(404)
    if (tweet.account !== account) throw forbid('You are not permitted to delete this Tweet.')
    tweet.deleted = true
    return json(200, { data: { deleted: true } })
  }

  const routes: Route[] = [
    {
      method: 'POST',
      path: '/2/tweets',
      operation: 'submit',
      scope: 'tweet.write',
      charges: [
        { limit: 'posts', cost: 1 },
        { limit: 'appPosts', cost: 1 },
      ],
      readSubmit,
      handle: create,
    },
    {
      method: 'GET',
      path: '/2/users/:id/tweets',
      operation: 'find',
      scope: 'tweet.read',
      charges: [{ limit: 'timelines', cost: 1 }],
      handle: list,
    },
    {
      method: 'GET',
      path: '/2/tweets',
      operation: 'metrics',
      scope: 'tweet.read',
      charges: [{ limit: 'lookups', cost: 1 }],
      handle: lookUp,
    },
    {
      method: 'GET',
      path: '/2/tweets/:id',
      operation: 'check',
      scope: 'tweet.read',
      charges: [{ limit: 'lookups', cost: 1 }],
      handle: lookUpOne,
    },
    {
      method: 'DELETE',
      path: '/2/tweets/:id',
      operation: 'remove',
      scope: 'tweet.write',
      charges: [{ limit: 'deletes', cost: 1 }],
      handle: remove,
    },
  ]
  return { routes }
}

function fieldsOf(call: Call): ReadonlySet<string> {
  return new Set((call.query.get('tweet.fields') ?? '').split(','))
}

function readMedia(context: PlatformContext, account: Account, fields: Fields): Media[] {
  if (fields['media'] === undefined) return []
  const ids = isFields(fields['media']) ? textsOf(fields['media']['media_ids']) : []
  if (ids.length < 1 || ids.length > 4)
    throw invalidRequest('$.media.media_ids: there must be a minimum of 1 and a maximum of 4 items in the array')
  return takeMedia(context, account, ids)
}

/**
 * Self-serve apps can reply only to posts of the same account. A reply to a post that is seconds old is refused as if the post were deleted
 * (github.com/plhery/node-twitter-api-v2 issue 366).
 */
function readReply(
  fields: Fields,
  account: Account,
  { find, nowMs }: { find: (id: string) => Tweet | undefined; nowMs: number },
): string | null {
  const id = isFields(fields['reply']) ? textOf(fields['reply']['in_reply_to_tweet_id']) : undefined
  if (id === undefined) return null
  const parent = find(id)
  if (!parent || parent.repliableAtMs > nowMs)
    throw forbid('You attempted to reply to a Tweet that is deleted or not visible to you.')
  if (parent.account !== account) throw forbid('You are not permitted to perform this action.')
  return id
}

function readSubmit({ fields = {} }: Call): SubmitRequest {
  const { reply } = fields
  const replyTo = isFields(reply) ? (textOf(reply['in_reply_to_tweet_id']) ?? null) : null
  return { operation: 'create_tweet', text: textOf(fields['text']) ?? '', key: null, replyTo }
}
