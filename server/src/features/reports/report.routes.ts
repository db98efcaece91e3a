import { reports, type ReportLanguage } from '@carillon/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { escapeHtml, pageLanguage, plainPagePolicy, renderPage } from '../../infra/html/render-page.ts'
import { serve } from '../../infra/http/serve.ts'
import { Problem } from '../../infra/problem/problem.ts'
import { clientNetwork } from '../../infra/rate-limit/client-network.ts'
import { throttleAttempt } from '../people/attempts/throttle-attempt.ts'
import { createReport, getReports, removeReport } from './manage-reports.ts'
import { findReport, readReport } from './read-report.ts'
import { renderReport, reportStyle } from './render-report.ts'
import { endedWords } from './report-words.ts'

export function reportRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, reports.list, (call) => getReports(call))
  serve(app, ctx, reports.create, (call) => createReport(call, call.body))
  serve(app, ctx, reports.remove, (call) => removeReport(call, call.params.reportId))
}

const guesses = { name: 'links of reports that do not work', max: 60, windowMs: 600_000 }
const openings = { name: 'openings of a report', max: 300, windowMs: 900_000 }

/** The page of a report, for people without an account and without a script. Reading it changes nothing. */
export function reportPageRoutes(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { token: string } }>('/report/:token', async (request, reply) => {
    const language = pageLanguage(request)
    const words = endedWords[language]
    try {
      const report = await findReport(ctx, request.params.token)
      if (!report) {
        // Nobody guesses 32 bytes. The limit keeps programs that try from costing a query each.
        await throttleAttempt(ctx, guesses, clientNetwork(request.ip))
        return send(reply, { language, title: words.title, content: message(words.title, words.text), status: 404 })
      }
      await throttleAttempt(ctx, openings, `${report.workspace_id} ${report.id}`)
      const content = renderReport(ctx, await readReport(ctx, report))
      return send(reply, { language: report.language, title: report.title, content, status: 200 })
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error
      const { retryAfterSeconds } = error
      if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds)
      return send(reply, {
        language,
        title: words.busyTitle,
        content: message(words.busyTitle, words.busy),
        status: error.status,
      })
    }
  })
}

function message(title: string, text: string): string {
  return `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`
}

type Composed = { language: ReportLanguage; title: string; content: string; status: number }

function send(reply: FastifyReply, { language, title, content, status }: Composed): FastifyReply {
  const { operator } = reply.server
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': plainPagePolicy(operator, { style: reportStyle, files: [] }),
      // The address is the permission, and the page has links to other sites.
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'x-content-type-options': 'nosniff',
      vary: 'accept-language',
    })
    .send(renderPage(operator, { language, title, content, more: reportStyle }))
}
