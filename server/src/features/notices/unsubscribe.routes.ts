import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { sendPage } from '../../infra/http/send-page.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findPersonById } from '../people/person.store.ts'
import { saveSettings } from './notice.store.ts'
import { readUnsubscribeToken, type Unsubscribed } from './unsubscribe-token.ts'

const path = '/unsubscribe'

const groupNames = {
  failures: 'posts that failed',
  connections: 'accounts that must be connected again',
  approvals: 'approvals',
  all: 'what happens in your workspaces',
} as const

/**
 * The page behind the link at the end of a mail. It needs no sign-in and no script. Opening it changes nothing, because programs open the links
 * in mails too; the button does, and so does the one click of a mail program (RFC 8058).
 */
export function unsubscribeRoutes(app: FastifyInstance, ctx: Context): void {
  void app.register((scope, _options, done) => {
    // The form has nothing that is not in the address.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
      scope.addContentTypeParser(type, (_request, payload, read) => {
        payload.resume().on('end', () => read(null, undefined))
      })
    scope.get(path, async (request, reply) => {
      const { token, group } = tokenOf(ctx, request)
      return sendPage(reply, {
        title: 'End these mails',
        paragraphs: [`You will get no more mails about ${groupNames[group]}. You can turn them on again in your settings.`],
        button: { label: 'End these mails', action: `${path}?token=${encodeURIComponent(token)}` },
      })
    })
    scope.post(path, async (request, reply) => {
      const { personId, group } = tokenOf(ctx, request)
      await endMails(ctx, { personId, group })
      return sendPage(reply, {
        title: 'No more mails',
        paragraphs: [`You get no more mails about ${groupNames[group]}. You can close this page.`],
        link: { label: 'Open Carillon', href: ctx.config.publicUrl },
      })
    })
    done()
  })
}

/** A token that nobody signed looks like a page that does not exist. */
function tokenOf(ctx: Context, request: FastifyRequest): Unsubscribed & { token: string } {
  const { token } = request.query as { token?: unknown }
  const read = typeof token === 'string' && token.length < 200 ? readUnsubscribeToken(ctx.config.secretKeys, token) : null
  if (!read || typeof token !== 'string') throw problem('route_not_found')
  return { ...read, token }
}

async function endMails(ctx: Context, { personId, group }: Unsubscribed): Promise<void> {
  const off = 'off' as const
  const change = group === 'all' ? { failures: off, connections: off, approvals: off } : { [group]: off }
  // A person who was deleted gets no mails either.
  if (await findPersonById(ctx.db.system, personId)) await saveSettings(ctx.db.system, personId, change)
}
