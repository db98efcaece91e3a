import type { Connector } from '@carillon/connectors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { escapeHtml, pageLanguage, sendPlainPage } from '../../infra/html/render-page.ts'
import { englishText, englishWords } from './english-text.ts'
import { germanText, germanWords } from './german-text.ts'
import type { LegalFacts, LegalPage, LegalSection } from './legal-text.ts'

const paths: Readonly<Record<LegalPage, string>> = {
  privacy: '/legal/privacy',
  terms: '/legal/terms',
  deletion: '/legal/data-deletion',
}

const languages = {
  en: { text: englishText, words: englishWords, other: 'de' },
  de: { text: germanText, words: germanWords, other: 'en' },
} as const

/** The pages that a platform wants to see before it approves an app: from our template, or the operator's own. */
export function legalRoutes(app: FastifyInstance, ctx: Context): void {
  for (const page of ['privacy', 'terms', 'deletion'] as const) {
    const own = ownUrl(ctx, page)
    app.get(paths[page], (request, reply) => (own === null ? sendLegalPage(ctx, request, reply, page) : reply.redirect(own, 302)))
  }
}

/** Where people read this page. */
export function legalUrl(ctx: Context, page: LegalPage): string {
  return ownUrl(ctx, page) ?? `${ctx.config.publicUrl}${paths[page]}`
}

function ownUrl({ config: { legal } }: Context, page: LegalPage): string | null {
  return { privacy: legal.privacyUrl, terms: legal.termsUrl, deletion: legal.deletionUrl }[page]
}

function sendLegalPage(ctx: Context, request: FastifyRequest, reply: FastifyReply, page: LegalPage): FastifyReply {
  const { operator } = ctx.config
  const language = pageLanguage(request)
  const { text, words, other } = languages[language]
  const facts = factsOf(ctx)
  const { title, intro, sections } = text[page](facts)
  const content = [
    `<h1>${escapeHtml(title)}</h1>`,
    ...intro.map(paragraph),
    ...sections.map(renderSection),
    `<h2>${words.contact}</h2>`,
    paragraph(words.operatedBy(facts)),
    `<p>${operator.contact === null ? words.noContact : contactLink(operator.contact)}</p>`,
  ].join('')
  const translation = { language: other, href: `${paths[page]}?lang=${other}` }
  return sendPlainPage(reply, { language, title, content, translation, isForEveryone: true })
}

function factsOf({ config, connectors }: Context): LegalFacts {
  return {
    name: config.operator.name,
    host: new URL(config.publicUrl).host,
    platforms: namesOf(Object.values(connectors)),
    askingPlatforms: namesOf(Object.values(connectors).filter(({ readNotice }) => readNotice !== undefined)),
    aiHost: config.ai === null ? null : new URL(config.ai.url).host,
    auditDays: config.auditDays,
  }
}

function namesOf(connectors: readonly Connector[]): string[] {
  return connectors.map(({ manifest }) => manifest.name).toSorted()
}

function renderSection({ heading, paragraphs = [], items = [] }: LegalSection): string {
  const list = items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
  return `<h2>${escapeHtml(heading)}</h2>${paragraphs.map(paragraph).join('')}${list}`
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

function contactLink(contact: string): string {
  const address = escapeHtml(contact)
  return `<a href="${contact.includes('://') ? '' : 'mailto:'}${address}">${address}</a>`
}
