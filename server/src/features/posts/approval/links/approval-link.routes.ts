import { approvalLinks } from '@carillon/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../../context.ts'
import { escapeHtml, pageLanguage, sendPlainPage } from '../../../../infra/html/render-page.ts'
import { guardOrigin } from '../../../../infra/http/guard-origin.ts'
import { servePrepared } from '../../../../infra/http/serve-prepared.ts'
import { serve } from '../../../../infra/http/serve.ts'
import { clientNetwork } from '../../../../infra/rate-limit/client-network.ts'
import { throttleAttempt } from '../../../people/attempts/throttle-attempt.ts'
import { sessionCookie } from '../../../people/cookies/session-cookie.ts'
import { findSessionHolder } from '../../../people/find-session-holder.ts'
import { fileOrigins } from '../../../web/web.routes.ts'
import { cleanClientName, cleanNote } from './clean-text.ts'
import { type ClientDecision, decideByLink } from './decide-by-link.ts'
import { linkWords } from './link-words.ts'
import { getLinks, makeLink, removeLink } from './manage-links.ts'
import type { LinkRow } from './approval-link.store.ts'
import { findLink, readLink, type ShownLink } from './read-link.ts'
import { linkStyle, renderLink } from './render-link.ts'

export function approvalLinkRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, approvalLinks.list, (call) => getLinks(call, call.query.post))
  servePrepared(app, ctx, approvalLinks.create, makeLink)
  serve(app, ctx, approvalLinks.remove, (call) => removeLink(call, call.params.id))
}

type Visit = { Params: { token: string } }
type Words = (typeof linkWords)['en']

const bodyBytesMax = 500_000
const guesses = { name: 'links of approvals that do not work', max: 60, windowMs: 600_000 }
const decisions = { name: 'decisions by a link', max: 200, windowMs: 3_600_000 }

/**
 * The page of a link, for people without an account and without a script. Opening it changes nothing, however often and by whatever program; only
 * a form of the page decides, and a browser sends that from another site with another Origin.
 */
export function approvalPageRoutes(app: FastifyInstance, ctx: Context): void {
  void app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bodyBytesMax },
      (_request, text, read) => read(null, new URLSearchParams(text.toString())),
    )
    scope.get<Visit>('/approve/:token', async (request, reply) => {
      const shown = await open(ctx, request, request.params.token)
      return shown ? sendLink(ctx, { request, reply, shown }) : sendEnded(ctx, request, reply)
    })
    scope.post<Visit>('/approve/:token', async (request, reply) => {
      guardOrigin(ctx.config, request)
      const shown = await open(ctx, request, request.params.token)
      if (!shown) return sendEnded(ctx, request, reply)
      await throttleAttempt(ctx, decisions, `${shown.workspaceId} ${shown.link.id}`)
      return takeDecision(ctx, { request, reply, shown })
    })
    done()
  })
}

async function open(ctx: Context, request: FastifyRequest, token: string): Promise<ShownLink | null> {
  const link = await findLink(ctx, token)
  const shown = link && (await readFor(ctx, request, link))
  // Nobody guesses 32 bytes. The limit keeps programs that try from costing a query each.
  if (!shown) await throttleAttempt(ctx, guesses, clientNetwork(request.ip))
  return shown
}

/** Whoever is a member and signed in decides as that; everybody else sees the same without it. */
async function readFor(ctx: Context, { id: traceId, headers }: FastifyRequest, link: LinkRow): Promise<ShownLink | null> {
  const cookie = sessionCookie(ctx.config, headers.cookie)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, null)
  return readLink(ctx, link, { traceId, visitorId: holder?.personId ?? null })
}

type Visited = { request: FastifyRequest; reply: FastifyReply; shown: ShownLink }

async function takeDecision(ctx: Context, { request, reply, shown }: Visited): Promise<FastifyReply> {
  const words = linkWords[pageLanguage(request)]
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const { visitor } = shown
  const name = cleanClientName(visitor?.name ?? form.get('name') ?? '')
  const [verb = '', named = ''] = (form.get('action') ?? '').split(':')
  const note = cleanNote(form.get(`note-${named}`) ?? '')
  const failWith = async (message: string, status: number) => {
    const fresh = await readFor(ctx, request, shown.link)
    if (!fresh) return sendEnded(ctx, request, reply)
    return sendLink(ctx, { request, reply, shown: fresh, failure: { message, name, postId: named, note }, status })
  }
  const wanted = readDecisions(form, { verb, named, note })
  if (wanted.length === 0) return failWith(words.refusals.changed, 400)
  if (name === '') return failWith(words.nameMissing, 400)
  if (wanted.some((decision) => decision.action !== 'approve') && note === '') return failWith(words.noteMissing, 400)
  const visitorId = visitor?.principal.personId ?? null
  for (const decision of wanted) {
    const refusal = await decideByLink(ctx, { link: shown.link, name, decision, traceId: request.id, visitorId })
    if (refusal === 'ended') return sendEnded(ctx, request, reply)
    if (refusal !== null) return failWith(words.refusals[refusal], 409)
  }
  const at = shown.posts.findIndex(({ id }) => id === named)
  // A page that is loaded again sends nothing a second time.
  return reply.redirect(`${ownPath(request)}${at < 0 ? '' : `#post-${at + 1}`}`, 303)
}

type Pressed = { verb: string; named: string; note: string }

/** What the pressed button means. A revision that is missing is none that a post has, so that nothing is approved unseen. */
function readDecisions(form: URLSearchParams, { verb, named, note }: Pressed): ClientDecision[] {
  const approve = (postId: string, when: Extract<ClientDecision, { action: 'approve' }>['when']): ClientDecision => ({
    action: 'approve',
    postId,
    revision: form.get(`revision-${postId}`) ?? '',
    when,
  })
  if (verb === 'approve') return [approve(named, 'planned')]
  if (verb === 'approve-now') return [approve(named, 'now')]
  if (verb === 'approve-at') return [approve(named, { wall: form.get(`at-${named}`) ?? '' })]
  if (verb === 'changes') return [{ action: 'changes', postId: named, text: note }]
  if (verb === 'comment') return [{ action: 'comment', postId: named, text: note }]
  if (verb !== 'approve-all') return []
  const fields = [...form.keys()].filter((field) => field.startsWith('revision-'))
  return fields.map((field) => approve(field.slice('revision-'.length), 'planned'))
}

type Sent = Visited & { failure?: { message: string; name: string; postId: string; note: string }; status?: number }

function sendLink(ctx: Context, { request, reply, shown, failure, status = 200 }: Sent): FastifyReply {
  const language = pageLanguage(request)
  const words = linkWords[language]
  const content = renderLink({ ctx, shown, words, language, action: ownPath(request), failure })
  return send(ctx, { request, reply, content, title: words.title(shown.posts.length), status })
}

/** The same for a link that was revoked, that has expired, and that never was. */
function sendEnded(ctx: Context, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const words: Words = linkWords[pageLanguage(request)]
  const content = `<h1>${escapeHtml(words.endedTitle)}</h1><p>${escapeHtml(words.ended)}</p>`
  return send(ctx, { request, reply, content, title: words.endedTitle, status: 404 })
}

type Composed = { request: FastifyRequest; reply: FastifyReply; content: string; title: string; status: number }

function send({ config }: Context, { request, reply, ...page }: Composed): FastifyReply {
  const language = pageLanguage(request)
  const other = language === 'de' ? 'en' : 'de'
  return sendPlainPage(reply, {
    ...page,
    language,
    translation: { language: other, href: ownPath(request, other) },
    more: linkStyle,
    files: ["'self'", ...fileOrigins(config)],
  })
}

/** The address of this page, in the language that was chosen for it. Other parameters are kept: one names the cell. */
function ownPath({ url }: FastifyRequest, language?: 'en' | 'de'): string {
  const [path = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  if (language) parameters.set('lang', language)
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
