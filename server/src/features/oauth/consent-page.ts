import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml, pageLanguage, sendPlainPage } from '../../infra/html/render-page.ts'
import { withParameters } from '../../infra/http/local-path.ts'
import { type ConsentWords, consentWords } from './consent-words.ts'
import type { Client } from './find-client.ts'
import { describeRedirect, formTarget } from './redirect-uri.ts'
import { type Right, preselectedRight } from './rights.ts'

export type ConsentPage = {
  client: Pick<Client, 'name' | 'host' | 'isBuiltIn'>
  /** Null for a device, which waits for the answer and is sent nowhere. */
  redirectUri: string | null
  email: string
  workspaces: readonly { id: string; name: string }[]
  rights: readonly Right[]
  /** Where the form goes, with what the program asked for. */
  action: string
  hidden?: Readonly<Record<string, string>>
  device?: { userCode: string; minutes: number }
  failure?: string | undefined
}

export function wordsFor(request: FastifyRequest): ConsentWords {
  return consentWords[pageLanguage(request)]
}

/** Asks a person what a program may do. The name that a program gives itself is shown as a claim, beside where its answer goes. */
export function sendConsentPage(request: FastifyRequest, reply: FastifyReply, page: ConsentPage, status = 200): FastifyReply {
  const words = wordsFor(request)
  const { client, redirectUri, email, workspaces, rights, action, hidden = {}, device, failure } = page
  const title = words.title(client.name)
  const content = [
    `<h1>${escapeHtml(title)}</h1>`,
    failure === undefined ? '' : notice(failure),
    paragraph(who(words, client)),
    redirectUri === null ? '' : paragraph(where(words, redirectUri)),
    device ? notice(words.deviceWarning) : '',
    device ? `<p><strong>${escapeHtml(device.userCode)}</strong> · ${escapeHtml(words.deviceTime(device.minutes))}</p>` : '',
    `<form method="post" action="${escapeHtml(action)}">`,
    ...Object.entries(hidden).map(
      ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    ),
    workspaceChoice(words, workspaces),
    rightChoice(words, rights),
    `<p class="quiet">${escapeHtml(words.limit)}</p><p class="quiet">${escapeHtml(words.person(email))}</p>`,
    `<div class="actions"><button name="decision" value="allow">${escapeHtml(words.allow)}</button>`,
    `<button name="decision" value="deny" class="second" formnovalidate>${escapeHtml(words.deny)}</button></div></form>`,
  ].join('')
  return send(request, reply, { title, content, status, redirectUri })
}

/** A page with a text only, or with a field for the code of a device. */
export function sendNote(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, text, form = '', status = 200 }: { title: string; text: string; form?: string; status?: number },
): FastifyReply {
  const content = `<h1>${escapeHtml(title)}</h1>${paragraph(text)}${form}`
  return send(request, reply, { title, content, status, redirectUri: null })
}

export function codeForm(words: ConsentWords): string {
  return (
    `<form method="post" action="/device"><p><label>${escapeHtml(words.code)} <input name="user_code" type="text" autocomplete="off" ` +
    `autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus></label></p>` +
    `<button>${escapeHtml(words.next)}</button></form>`
  )
}

function who(words: ConsentWords, { name, host, isBuiltIn }: ConsentPage['client']): string {
  if (isBuiltIn) return words.whoOurs(name)
  return host === null ? words.whoRegistered(name) : words.whoDocument(name, host)
}

function where(words: ConsentWords, redirectUri: string): string {
  const target = describeRedirect(redirectUri)
  if (target.kind === 'computer') return words.toComputer
  return target.kind === 'host' ? words.toHost(target.host) : words.toApp(target.scheme)
}

function workspaceChoice(words: ConsentWords, workspaces: ConsentPage['workspaces']): string {
  const options = workspaces.map(({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`).join('')
  return `<p><label>${escapeHtml(words.workspace)} <select name="workspace" required>${options}</select></label></p>`
}

function rightChoice(words: ConsentWords, rights: readonly Right[]): string {
  const chosen = preselectedRight(rights)
  const choices = rights.map(
    (right) =>
      `<label class="option"><input type="radio" name="right" value="${right}" required${right === chosen ? ' checked' : ''}>` +
      `<span>${escapeHtml(words.right[right])}</span><small>${escapeHtml(words.note[right])}</small></label>`,
  )
  return `<fieldset><legend>${escapeHtml(words.rights)}</legend>${choices.join('')}</fieldset>`
}

type Sent = { title: string; content: string; status: number; redirectUri: string | null }

function send(request: FastifyRequest, reply: FastifyReply, { redirectUri, ...page }: Sent): FastifyReply {
  const language = pageLanguage(request)
  const other = language === 'en' ? 'de' : 'en'
  // A page that was the response to a form cannot be loaded again in another language.
  const translation = { language: other, href: withParameters(request.url, { lang: other }) } as const
  return sendPlainPage(reply, {
    ...page,
    language,
    ...(request.method === 'GET' && { translation }),
    ...(redirectUri !== null && { formTarget: formTarget(redirectUri) }),
  })
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

function notice(text: string): string {
  return `<p class="notice" role="note">${escapeHtml(text)}</p>`
}
