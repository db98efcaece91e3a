import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { escapeHtml, pageLanguage, sendPlainPage } from '../../../infra/html/render-page.ts'
import { clientNetwork } from '../../../infra/rate-limit/client-network.ts'
import { createRateLimiter, refuseExceeded } from '../../../infra/rate-limit/create-rate-limiter.ts'
import { connectorOf } from '../connector-of.ts'
import { findDeletion, type DeletionRow } from './notice.store.ts'
import { deauthorize, deleteData, receiveNotice, type DeletionHooks, type ReceivedNotice } from './receive-notice.ts'

const bodyBytesMax = 8192
/** Far more than one installation's people cause, and few enough that guessing at signatures costs us nothing. */
const noticesPerMinute = 300

/** What platforms tell the installation: that a person removed its app, or wants their data deleted. Their requests are signed. */
export const noticeRoutes = (hooks: DeletionHooks) => (app: FastifyInstance, ctx: Context) => {
  const limiter = createRateLimiter(ctx, 'platform-notices', noticesPerMinute)
  const receive = async (request: FastifyRequest): Promise<ReceivedNotice> => {
    refuseExceeded(await limiter.count(`notices ${clientNetwork(request.ip)}`))
    const { platform } = request.params as { platform: string }
    return receiveNotice(ctx, { platform, form: readForm(request), traceId: request.id })
  }
  void app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bodyBytesMax },
      (_request, text, read) => read(null, Object.fromEntries(new URLSearchParams(text.toString()))),
    )
    scope.post('/integrations/:platform/deauthorize', async (request) => {
      await deauthorize(ctx, await receive(request))
      return { success: true }
    })
    scope.post('/integrations/:platform/data-deletion', async (request) => {
      const notice = await receive(request)
      await deleteData(ctx, notice, hooks)
      return { url: `${ctx.config.publicUrl}/legal/data-deletion/${notice.code}`, confirmation_code: notice.code }
    })
    done()
  })
  app.get('/legal/data-deletion/:code', async (request, reply) => {
    const { code } = request.params as { code: string }
    const found = /^[0-9a-f]{24}$/.test(code) ? await findDeletion(ctx.db.system, code) : undefined
    return sendState(ctx, { request, reply }, { code, found })
  })
}

function readForm({ body }: FastifyRequest): Record<string, string> {
  return typeof body === 'object' && body !== null ? (body as Record<string, string>) : {}
}

type Told = { name: string; day: string; row: DeletionRow }

const words = {
  en: {
    title: 'Your deletion request',
    code: 'Confirmation code',
    unknown: 'There is no request with this code. Please compare it with the one that the platform showed you.',
    received: ({ name, day }: Told) => `${name} sent us your request on ${day}.`,
    pending: 'It is not finished. Some data may still be stored; if this stays so, please write to us.',
    nothing: 'It is finished: we had no data of this account.',
    done: 'It is finished. The access tokens of your account, its name and its picture were deleted, and what was scheduled on it was cancelled.',
    rest: 'Posts that were published stay on the platform until you delete them there. Backups are deleted later.',
  },
  de: {
    title: 'Deine Anfrage zum Löschen',
    code: 'Bestätigungscode',
    unknown: 'Es gibt keine Anfrage mit diesem Code. Bitte vergleiche ihn mit dem, den die Plattform dir gezeigt hat.',
    received: ({ name, day }: Told) => `${name} hat uns deine Anfrage am ${day} geschickt.`,
    pending: 'Sie ist nicht abgeschlossen. Manche Daten sind vielleicht noch gespeichert; wenn das so bleibt, schreib uns bitte.',
    nothing: 'Sie ist abgeschlossen: Wir hatten keine Daten dieses Kontos.',
    done: 'Sie ist abgeschlossen. Die Zugangstoken deines Kontos, sein Name und sein Bild wurden gelöscht, und was darauf geplant war, wurde abgesagt.',
    rest: 'Veröffentlichte Beiträge bleiben auf der Plattform, bis du sie dort löschst. Sicherungen werden später gelöscht.',
  },
} as const

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Tells a person what became of their request. The page names no account: whoever has the code may read it. */
function sendState(
  ctx: Context,
  { request, reply }: Exchange,
  { code, found }: { code: string; found: DeletionRow | undefined },
): FastifyReply {
  const language = pageLanguage(request)
  const { title, code: codeWord, ...texts } = words[language]
  const sentences = found ? tell(ctx, language, found) : [texts.unknown]
  const content = [
    `<h1>${title}</h1>`,
    ...(found ? [`<p class="quiet">${codeWord}: ${escapeHtml(code)}</p>`] : []),
    ...sentences.map((each) => `<p>${escapeHtml(each)}</p>`),
  ].join('')
  const other = language === 'en' ? 'de' : 'en'
  const translation = { language: other, href: `?lang=${other}` } as const
  return sendPlainPage(reply, { language, title, content, translation, status: found ? 200 : 404 })
}

function tell(ctx: Context, language: 'en' | 'de', row: DeletionRow): string[] {
  const { received, pending, nothing, done, rest } = words[language]
  const { name } = connectorOf(ctx, row.platform).manifest
  const day = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'de', { dateStyle: 'long', timeZone: 'UTC' }).format(
    row.requestedAt,
  )
  const state = row.completedAt === null ? pending : row.accounts === 0 ? nothing : done
  return [received({ name, day, row }), state, ...(state === done ? [rest] : [])]
}
