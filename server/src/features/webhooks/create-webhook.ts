import type { BodyOf, Webhook, webhooks } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { newId } from '../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { type Problem, problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { chatColumns, findAddressProblem } from './chat/chat-address.ts'
import { presentWebhook } from './get-webhook.ts'
import { newSecret, sealSecret, secretHint } from './secret.ts'
import { countWebhooks, insertWebhook } from './webhook.store.ts'

type Body = BodyOf<typeof webhooks.create>

/**
 * Registers an endpoint. The URL is checked before the transaction starts, so that no database connection waits for DNS. A refusal is
 * thrown inside the transaction, so that a repeated Idempotency-Key still gets its first answer.
 */
export async function createWebhook({ ctx, body }: { ctx: Context; body: Body }): Promise<Prepared<Webhook>> {
  const urlProblem = findChatProblem(body) ?? (await findUrlProblem(ctx, body.url))
  return {
    fingerprint: null,
    store: async (scope) => {
      if (urlProblem) throw urlProblem
      return storeWebhook(scope, body)
    },
    discard: async () => {},
  }
}

function findChatProblem({ url, format, secret }: Body): Problem | null {
  if (format === undefined || format === 'json') return null
  if (secret !== undefined)
    return problem('request_invalid', {
      details: [{ path: 'secret', message: 'A chat checks no signature, so it needs no secret.' }],
    })
  return findAddressProblem(format, url)
}

/** This answer is the only one that shows the whole secret. */
async function storeWebhook(
  { ctx, tx, principal, nowMs }: RequestScope,
  { url, events, retries, format = 'json', secret = newSecret() }: Body,
): Promise<Answer<Webhook>> {
  const { workspaceId } = principal
  await guardQuota(ctx, tx, workspaceId)
  const id = newId(nowMs)
  const row = await insertWebhook(tx, {
    workspace_id: workspaceId,
    id,
    ...(format === 'json'
      ? { url, events, secret_sealed: sealSecret(ctx, { workspaceId, id }, 'secret', secret), secret_hint: secretHint(secret) }
      : {
          format,
          ...chatColumns(ctx, { workspaceId, id }, { url, events }),
          events: [],
          secret_sealed: Buffer.alloc(0),
          secret_hint: '',
        }),
    active: true,
    ...(retries !== undefined && { retries }),
    created_at: new Date(nowMs),
    updated_at: new Date(nowMs),
  })
  return new Answer(presentWebhook(row, principal.role, secret), {
    subjectId: id,
    withoutSecret: presentWebhook(row, principal.role),
  })
}

async function guardQuota({ config }: Context, tx: Tx, workspaceId: string): Promise<void> {
  const max = config.quotas.webhooks
  if (max === Infinity) return
  await lockQuota(tx, `webhooks ${workspaceId}`)
  if ((await countWebhooks(tx, workspaceId)) >= max)
    throw problem('quota_reached', {
      message: `This workspace has ${max} webhooks, the most that this installation allows. Remove one, or ask its operator for more.`,
    })
}

/**
 * Why this URL may not be saved; null if it may. Only https is allowed, and no address inside our own network. Each send checks again,
 * because the host can later resolve to another address. Resolving the host may take seconds, so call this outside
 * of a transaction.
 */
export async function findUrlProblem(ctx: Context, url: string): Promise<Problem | null> {
  const verdict = await ctx.egress.checkUrl(url, { https: true })
  if (verdict.ok) return null
  const details = [{ path: 'url', message: verdict.reason }]
  return problem(verdict.code === 'bad_url' ? 'request_invalid' : 'url_refused', { details })
}
