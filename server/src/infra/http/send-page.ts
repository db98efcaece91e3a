import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../html/escape-html.ts'

type Field = { name: string; label: string; type: 'password'; autocomplete: string; minLength: number }
type Page = { title: string; paragraphs: readonly string[]; button?: { label: string; action: string; field?: Field } }

/** Browsers accept `text/html` explicitly; programs usually do not. */
export function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}

/** A simple page for people who follow a link in a mail or come back from a platform. It does not need the web app. */
export function sendPage(reply: FastifyReply, { title, paragraphs, button }: Page, status = 200): FastifyReply {
  const form = button
    ? `<form method="post" action="${escapeHtml(button.action)}">${input(button.field)}<button>${escapeHtml(button.label)}</button></form>`
    : ''
  const text = paragraphs.map((each) => `<p>${escapeHtml(each)}</p>`).join('')
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${escapeHtml(title)}</title></head><body><main><h1>${escapeHtml(title)}</h1>${text}${form}</main></body></html>`
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      // The URL contains a token that must not reach other sites. `no-referrer` would make browsers send the form with `Origin: null`.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(html)
}

function input(field: Field | undefined): string {
  if (!field) return ''
  const { name, label, type, autocomplete, minLength } = field
  return (
    `<p><label>${escapeHtml(label)} <input name="${escapeHtml(name)}" type="${type}" autocomplete="${escapeHtml(autocomplete)}"` +
    ` minlength="${minLength}" required></label></p>`
  )
}
