import type { Call } from '../../http/call.ts'
import { flagOf, textOf, textsOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { createSnowflake, readId } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { markRepeated, type SubmitRequest } from '../../state/submits.ts'
import { countStatus } from './count-status.ts'
import { fail, invalid } from './errors.ts'
import { takeMedia } from './media.routes.ts'
import { serverOf } from './server-kinds.ts'
import { viewStatus, type Status } from './status.ts'

const keyLifetimeMs = 3_600_000

export function createStatuses(context: PlatformContext): { routes: Route[] } {
  const statuses = context.createTable<Status>('statuses')
  const keys = context.createTable<{ id: string; expiresAtMs: number }>('keys')
  const nextId = createSnowflake(0, 16n)

  const find = (id: string | undefined) => {
    const status = id === undefined ? undefined : statuses.get(id)
    return status?.deleted === true ? undefined : status
  }
  const load = (id: string | undefined): Status => {
    const status = find(id)
    if (!status) throw fail(404)
    return status
  }
  const findVisible = (id: string | undefined) => {
    const status = find(id)
    return status && context.isVisible(status) ? status : undefined
  }
  const view = (status: Status) => viewStatus(context, status, status.replyTo === null ? undefined : statuses.get(status.replyTo))

  const create = (call: Call, account: Account): Status => {
    const fields = call.fields
    if (!fields) throw fail(400, 'Error occurred while parsing request parameters')
    // Refuse scheduled statuses: publishing them at once would be wrong.
    if (fields['scheduled_at'] !== undefined && fields['scheduled_at'] !== null)
      throw invalid('Scheduled statuses are not simulated')
    const text = textOf(fields['status']) ?? ''
    const spoiler = textOf(fields['spoiler_text']) ?? ''
    const visibility = textOf(fields['visibility']) ?? 'public'
    const replyTo = textOf(fields['in_reply_to_id']) ?? null
    const parent = replyTo === null ? undefined : find(replyTo)
    if (replyTo !== null && !parent) throw fail(404, 'The post you are trying to reply to does not appear to exist.')
    const mediaIds = textsOf(fields['media_ids'])
    const id = nextId(context.now())
    const media = takeMedia(context, { account, ids: mediaIds })
    if (text.trim() === '' && media.length === 0) throw invalid("Text can't be blank")
    const server = serverOf(account)
    const length = server.countsPlainly ? [...text, ...spoiler].length : countStatus(text, spoiler, server.linkLength)
    if (length > server.charactersMax) throw invalid(`Text character limit of ${server.charactersMax} exceeded`)
    if (server.needsMedia && media.length === 0 && replyTo === null) throw fail(403, 'Empty statuses are not allowed')
    if (!server.visibilities.includes(visibility)) throw invalid('Visibility is not included in the list')
    const url = `${context.origin}/@${account.handle}/${id}`
    const sensitive = flagOf(fields['sensitive']) || spoiler !== ''
    const language = textOf(fields['language']) ?? null
    const head = { platform: context.name, id, account, text, url, replyTo, atMs: context.now(), deleted: false, media }
    const status: Status = { ...head, request: fields, visibility, spoiler, sensitive, language, repliesCount: 0 }
    for (const one of media) one.attachedTo = id
    if (parent) parent.repliesCount += 1
    statuses.set(id, status)
    context.commit(status, call)
    return status
  }

  /** For an hour an account's Idempotency-Key returns the same status. If that was deleted, the reply is 404, as for a read by id. */
  const createOnce = (call: Call, { account }: Session) => {
    const header = call.headers['idempotency-key']
    const { keys: treatment } = serverOf(account)
    if (typeof header !== 'string' || header === '' || context.settings.idempotencyKeys === false || treatment === 'ignored')
      return json(200, view(create(call, account)))
    const key = `${account.id}:${header}`
    const known = keys.get(key)
    if (known && known.expiresAtMs > context.now()) {
      if (treatment === 'refused') throw fail(400, 'Duplicate request')
      markRepeated(call)
      return json(200, view(load(known.id)))
    }
    const status = create(call, account)
    keys.set(key, { id: status.id, expiresAtMs: context.now() + keyLifetimeMs })
    return json(200, view(status))
  }

  const list = (call: Call) => {
    const account = context.accounts.findById(call.params['id'] ?? '')
    if (!account) throw fail(404)
    const limit = Math.min(40, Number(call.query.get('limit') ?? 20))
    const since = readId(call.query.get('since_id') ?? call.query.get('min_id')) ?? 0n
    const before = readId(call.query.get('max_id'))
    const found: Status[] = []
    for (let at = account.posts.length - 1; at >= 0 && found.length < limit; at--) {
      const status = findVisible(account.posts[at]?.id)
      if (!status || BigInt(status.id) <= since || (before !== undefined && BigInt(status.id) >= before)) continue
      found.push(status)
    }
    return json(200, found.map(view))
  }

  const charges = [{ limit: 'api', cost: 1 }]
  const routes: Route[] = [
    {
      method: 'POST',
      path: '/api/v1/statuses',
      operation: 'submit',
      scope: 'write:statuses',
      charges: [{ limit: 'statuses', cost: 1 }, ...charges],
      readSubmit,
      handle: createOnce,
    },
    {
      method: 'GET',
      path: '/api/v1/statuses',
      operation: 'metrics',
      scope: 'read:statuses',
      charges,
      handle: ({ query }) =>
        json(
          200,
          query
            .getAll('id[]')
            .flatMap((id) => findVisible(id) ?? [])
            .map(view),
        ),
    },
    {
      method: 'GET',
      path: '/api/v1/statuses/:id',
      operation: 'check',
      scope: 'read:statuses',
      charges,
      handle({ params }) {
        const status = findVisible(params['id'])
        if (!status) throw fail(404)
        return json(200, view(status))
      },
    },
    { method: 'GET', path: '/api/v1/accounts/:id/statuses', operation: 'find', scope: 'read:statuses', charges, handle: list },
    {
      method: 'DELETE',
      path: '/api/v1/statuses/:id',
      operation: 'remove',
      scope: 'write:statuses',
      charges: [{ limit: 'deletes', cost: 1 }, ...charges],
      handle({ params }, { account }) {
        const status = load(params['id'])
        if (status.account !== account) throw fail(404)
        status.deleted = true
        return json(200, { ...view(status), text: status.text })
      },
    },
  ]
  return { routes }
}

function readSubmit({ fields = {}, headers }: Call): SubmitRequest {
  const key = headers['idempotency-key']
  return {
    operation: 'create_status',
    text: textOf(fields['status']) ?? '',
    key: typeof key === 'string' ? key : null,
    replyTo: textOf(fields['in_reply_to_id']) ?? null,
  }
}
