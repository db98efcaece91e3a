import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../html/escape-html.ts'
import { plainPagePolicy, renderPage } from '../html/render-page.ts'

type Field = { name: string; label: string; type: 'email' | 'password' | 'text'; autocomplete: string; minLength?: number }
export type Page = {
  title: string
  paragraphs: readonly string[]
  button?: { label: string; action: string; fields?: readonly Field[] }
  link?: { label: string; href: string }
}

/** Browsers accept `text/html` explicitly; programs usually do not. */
export function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}

/** A simple page for people who follow a link in a mail or come back from a platform. It does not need the web app. */
export function sendPage(reply: FastifyReply, { title, paragraphs, button, link }: Page, status = 200): FastifyReply {
  const form = button
    ? `<form method="post" action="${escapeHtml(button.action)}">${(button.fields ?? []).map(input).join('')}` +
      `<button>${escapeHtml(button.label)}</button></form>`
    : ''
  const more = link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>` : ''
  const text = paragraphs.map((each) => `<p>${escapeHtml(each)}</p>`).join('')
  const { operator } = reply.server
  const html = renderPage(operator, { language: 'en', title, content: `<h1>${escapeHtml(title)}</h1>${text}${form}${more}` })
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': plainPagePolicy(operator),
      // The URL contains a token that must not reach other sites. `no-referrer` would make browsers send the form with `Origin: null`.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(html)
}

function input({ name, label, type, autocomplete, minLength }: Field): string {
  const least = minLength === undefined ? '' : ` minlength="${minLength}"`
  return (
    `<p><label>${escapeHtml(label)} <input name="${escapeHtml(name)}" type="${type}" autocomplete="${escapeHtml(autocomplete)}"` +
    `${least} required></label></p>`
  )
}
