import type { Connector } from '@carillon/connectors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml, pageLanguage, sendPlainPage } from '../../../infra/html/render-page.ts'
import { withParameters } from '../../../infra/http/local-path.ts'
import type { StoredTarget } from '../../../infra/db/tables.ts'
import type { Problem } from '../../../infra/problem/problem.ts'
import type { ConnectFlowRow } from '../connect/connect-flow.store.ts'
import type { OpenedLink } from './open-link.ts'
import { type PageWords, pageWords } from './page-words.ts'

export const linkPath = '/integrations/link'

type Sent = {
  title: string
  /** HTML. Every text in it is escaped already. */
  content: string
  status?: number
  /** Where the browser goes by itself. Not a redirect: the page's policy would forbid it after a form was sent. */
  goTo?: string
}

/** What a page needs to know about the request: its words, and how the next request is addressed. */
export type PageView = { language: 'en' | 'de'; words: PageWords; send(sent: Sent): FastifyReply }

export function viewOf(request: FastifyRequest, reply: FastifyReply): PageView {
  const language = pageLanguage(request)
  const other = language === 'en' ? 'de' : 'en'
  return {
    language,
    words: pageWords[language],
    send: ({ goTo, ...page }) => {
      const translation = { language: other, href: withParameters(request.url, { lang: other }) } as const
      if (goTo !== undefined) void reply.header('refresh', `0;url=${goTo}`)
      // A page that a form led to cannot be loaded again with its address alone.
      return sendPlainPage(reply, { ...page, language, ...(request.method === 'GET' && { translation }) })
    },
  }
}

/** A name that somebody chose. It cannot change the direction of the text around it. */
function named(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`
}

function quoted(text: string, language: 'en' | 'de'): string {
  return language === 'de' ? `„${named(text)}“` : `“${named(text)}”`
}

const paragraph = (html: string, quiet = false) => `<p${quiet ? ' class="quiet"' : ''}>${html}</p>`

function factList(facts: readonly (readonly [string, string])[]): string {
  return `<dl>${facts.map(([name, html]) => `<div><dt>${escapeHtml(name)}</dt><dd>${html}</dd></div>`).join('')}</dl>`
}

function titled(title: string, html: string): { title: string; content: string } {
  return { title, content: `<h1>${html}</h1>` }
}

/** Who asks for what. The form of the platform follows, or the choice among several. */
export function sendLinkPage(
  view: PageView,
  { link, workspace, maker, access }: OpenedLink,
  { connectors, chosen, failure }: { connectors: readonly Connector[]; chosen: Connector | null; failure: Problem | null },
): FastifyReply {
  const { words, language } = view
  const { title, content } = titled(words.title(workspace), words.title(quoted(workspace, language)))
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(link.expires_at)
  const facts = factList([
    [words.facts.workspace, named(workspace)],
    [words.facts.by, `${named(maker.name)} <span class="quiet">(${named(maker.email)})</span>`],
    ...(chosen ? [[words.facts.platform, escapeHtml(chosen.manifest.name)] as const] : []),
    [words.facts.until, escapeHtml(until)],
  ])
  const consent = paragraph(words.allows) + paragraph(words.onlyIfKnown)
  const address = (more: Record<string, string>) => withParameters(linkPath, { ...access, ...more, lang: language })
  const said = failure ? `<p class="problem" role="alert">${escapeHtml(failureText(words, failure))}</p>` : ''
  const next = chosen
    ? connectForm(view, chosen, { action: address({ platform: chosen.manifest.platform }), isReconnect: link.is_reconnect })
    : `<h2>${escapeHtml(words.facts.choose)}</h2><ul class="choices">${connectors
        .map(
          ({ manifest: { platform, name } }) => `<li><a href="${escapeHtml(address({ platform }))}">${escapeHtml(name)}</a></li>`,
        )
        .join('')}</ul>`
  return view.send({ title, content: content + facts + said + consent + next, status: failure?.status ?? 200 })
}

function connectForm(
  { words, language }: PageView,
  { auth, origin, manifest: { name } }: Connector,
  { action, isReconnect }: { action: string; isReconnect: boolean },
): string {
  const isOptional = origin !== null
  const server =
    auth.perInstance && !isReconnect
      ? field({
          name: 'instanceUrl',
          label: words.server,
          hint: isOptional ? words.serverOptional(name) : words.serverHint,
          type: 'text',
          required: false,
        })
      : ''
  const fields =
    auth.kind === 'password'
      ? auth.fields.map(({ name: of, label, secret, optional }) =>
          field({
            name: `fields.${of}`,
            label: (words.fields[of] ?? label) + (optional ? ` (${words.optional})` : ''),
            hint: null,
            type: secret ? 'password' : 'text',
            required: optional !== true,
          }),
        )
      : []
  const button = auth.kind === 'oauth2' ? words.continueTo(name) : words.check
  const note = auth.kind === 'oauth2' ? paragraph(escapeHtml(words.passwordStays), true) : ''
  return (
    `<form method="post" action="${escapeHtml(action)}" lang="${language}">${server}${fields.join('')}${note}` +
    `<button>${escapeHtml(button)}</button></form>`
  )
}

type Field = { name: string; label: string; hint: string | null; type: 'text' | 'password'; required: boolean }

function field({ name, label, hint, type, required }: Field): string {
  const help = hint === null ? '' : `<span class="quiet">${escapeHtml(hint)}</span>`
  return (
    `<p><label>${escapeHtml(label)} <input name="${escapeHtml(name)}" type="${type}" autocomplete="off" autocapitalize="none" ` +
    `spellcheck="false" maxlength="500"${required ? ' required' : ''}>${help}</label></p>`
  )
}

export function sendOnwards(view: PageView, { url, name }: { url: string; name: string }): FastifyReply {
  const { words } = view
  const title = words.continueTo(name)
  const link = `<p><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></p>`
  return view.send({ title, content: `<h1>${escapeHtml(words.going(name))}</h1>${link}`, goTo: url })
}

type Confirmable = { flow: ConnectFlowRow; workspace: string; maker: { name: string; email: string }; platform: string }

/** The last step: which account, and which workspace. Only its button makes a connection. */
export function sendConfirmPage(
  view: PageView,
  { flow, workspace, maker, platform }: Confirmable,
  { choices, missing, failure }: { choices: readonly StoredTarget[]; missing: readonly string[]; failure: Problem | null },
): FastifyReply {
  const { words, language } = view
  const account = accountText(flow)
  const { title, content } = titled(words.confirmTitle(account), words.confirmTitle(named(account)))
  const facts = factList([
    [words.facts.account, named(fullAccount(flow))],
    [words.facts.platform, escapeHtml(platform)],
    ...(flow.instance_url === null ? [] : [[words.facts.host, named(new URL(flow.instance_url).host)] as const]),
    [words.facts.workspace, named(workspace)],
    [words.facts.by, `${named(maker.name)} <span class="quiet">(${named(maker.email)})</span>`],
  ])
  const action = withParameters(`${linkPath}/confirm`, { attempt: flow.attempt_id ?? '', lang: language })
  const targets =
    choices.length === 0
      ? ''
      : `<fieldset><legend>${escapeHtml(words.chooseTarget)}</legend>${choices
          .map(
            ({ id, name, kind }) =>
              `<label class="choice"><input type="radio" name="targetId" value="${escapeHtml(id)}" required><span>${named(name)} ` +
              `<span class="quiet">(${escapeHtml(kind === 'account' ? words.account : words.page)})</span></span></label>`,
          )
          .join('')}</fieldset>`
  const said = failure ? `<p class="problem" role="alert">${escapeHtml(failureText(words, failure))}</p>` : ''
  const form =
    `<form method="post" action="${escapeHtml(action)}">${targets}<p class="buttons">` +
    `<button name="answer" value="connect">${escapeHtml(words.connect)}</button>` +
    `<button name="answer" value="cancel" class="second" formnovalidate>${escapeHtml(words.cancel)}</button></p></form>`
  const notes =
    paragraph(escapeHtml(words.confirm)) +
    paragraph(escapeHtml(words.allows)) +
    (missing.length > 0 ? paragraph(escapeHtml(words.missing(missing.join(', ')))) : '')
  return view.send({ title, content: content + facts + said + notes + form, status: failure?.status ?? 200 })
}

function accountText({ account }: ConnectFlowRow): string {
  return account ? `@${account.handle}` : ''
}

function fullAccount(flow: ConnectFlowRow): string {
  const { account } = flow
  const more = account && account.displayName !== account.handle ? ` (${account.displayName})` : ''
  return accountText(flow) + more
}

type Ended = { flow: ConnectFlowRow; workspace: string; backTo: string | null }

export function sendConnected(view: PageView, { flow, workspace, backTo }: Ended): FastifyReply {
  const { words, language } = view
  const said = words.connected(named(fullAccount(flow)), quoted(workspace, language))
  return sendEnd(view, { title: words.connectedTitle, html: said, backTo })
}

export function sendCancelled(view: PageView, { backTo }: Pick<Ended, 'backTo'>): FastifyReply {
  return sendEnd(view, { title: view.words.cancelledTitle, html: escapeHtml(view.words.cancelled), backTo })
}

/** The browser goes back by itself, and the link is for browsers that do not. */
function sendEnd(view: PageView, { title, html, backTo }: { title: string; html: string; backTo: string | null }): FastifyReply {
  const { words } = view
  const way = backTo === null ? escapeHtml(words.close) : backLink(words, backTo)
  const content = `<h1>${escapeHtml(title)}</h1>${paragraph(html)}${paragraph(way)}`
  return view.send({ title, content, ...(backTo !== null && { goTo: backTo }) })
}

function backLink(words: PageWords, backTo: string): string {
  return `<a href="${escapeHtml(backTo)}">${escapeHtml(words.back(new URL(backTo).host))}</a>`
}

/** Connecting failed on the way: why, and how to go on. Nobody is sent away by themselves, so that the reason can be read. */
export function sendFailed(
  view: PageView,
  {
    failure,
    again,
    backTo,
  }: { failure: Pick<Problem, 'code' | 'message'> & { status?: number }; again: string | null; backTo: string | null },
): FastifyReply {
  const { words, language } = view
  const more =
    again === null
      ? ''
      : paragraph(`<a href="${escapeHtml(withParameters(again, { lang: language }))}">${escapeHtml(words.again)}</a>`)
  const way = backTo === null ? '' : paragraph(backLink(words, backTo))
  const content = `<h1>${escapeHtml(words.failedTitle)}</h1>${paragraph(escapeHtml(failureText(words, failure)))}${more}${way}`
  return view.send({ title: words.failedTitle, content, status: failure.status ?? 200 })
}

/** Our own words for what happens often; otherwise the sentence of the error, which may be the platform's own. */
function failureText(words: PageWords, { code, message }: Pick<Problem, 'code' | 'message'>): string {
  return words.failures[code] ?? message
}
