import { formatBytes } from '@carillon/core'
import type { FastifyReply } from 'fastify'
import { escapeHtml, plainPagePolicy, renderPage } from '../../../infra/html/render-page.ts'

type Language = 'en' | 'de'

export type TicketPage = { language: Language } & (
  | { state: 'open'; bytesMax: number }
  | { state: 'arrived' }
  | { state: 'ended' }
  | { state: 'refused'; code: string }
)

const words = {
  en: {
    open: 'Send a file',
    openText: (most: string) =>
      `Choose a picture, a video or a PDF of at most ${most}. It goes into the media library, and nothing is published.`,
    once: 'This page takes one file, and closes 15 minutes after it was made.',
    choose: 'File',
    send: 'Send',
    arrived: 'The file has arrived',
    arrivedText: 'It is in the media library now. You can close this page.',
    ended: 'This page takes no file any more',
    endedText: 'A file was sent already, or the 15 minutes are over. Ask for a new address if yours is missing.',
    refused: 'The file was not accepted',
    again: 'Choose another file',
    reasons: {
      media_too_large: 'It is too large.',
      media_type_refused: 'Images may be JPEG, PNG, WebP, GIF or AVIF, videos MP4, MOV or WebM, documents PDF.',
      media_unreadable: 'It is damaged, or it is not what its name says.',
      storage_full: 'There is no space left in the media library.',
      installation_storage_full: 'There is no space left on this server.',
      request_invalid: 'No file was chosen.',
    },
    other: 'It did not arrive completely.',
  },
  de: {
    open: 'Eine Datei senden',
    openText: (most: string) =>
      `Wähle ein Bild, ein Video oder ein PDF mit höchstens ${most}. Es kommt in die Mediathek, veröffentlicht wird nichts.`,
    once: 'Diese Seite nimmt eine Datei an und schließt 15 Minuten, nachdem sie erstellt wurde.',
    choose: 'Datei',
    send: 'Senden',
    arrived: 'Die Datei ist angekommen',
    arrivedText: 'Sie ist jetzt in der Mediathek. Du kannst diese Seite schließen.',
    ended: 'Diese Seite nimmt keine Datei mehr an',
    endedText:
      'Es wurde schon eine Datei gesendet, oder die 15 Minuten sind vorbei. Wenn deine fehlt, bitte um eine neue Adresse.',
    refused: 'Die Datei wurde nicht angenommen',
    again: 'Eine andere Datei wählen',
    reasons: {
      media_too_large: 'Sie ist zu groß.',
      media_type_refused: 'Bilder dürfen JPEG, PNG, WebP, GIF oder AVIF sein, Videos MP4, MOV oder WebM, Dokumente PDF.',
      media_unreadable: 'Sie ist beschädigt oder nicht das, was ihr Name sagt.',
      storage_full: 'In der Mediathek ist kein Platz mehr.',
      installation_storage_full: 'Auf diesem Server ist kein Platz mehr.',
      request_invalid: 'Es wurde keine Datei gewählt.',
    },
    other: 'Sie ist nicht vollständig angekommen.',
  },
} as const

/** A page without a script, which works in any browser of a phone. */
export function sendTicketPage(reply: FastifyReply, page: TicketPage, status = 200): FastifyReply {
  const { operator } = reply.server
  const { language } = page
  const other = language === 'en' ? 'de' : 'en'
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': plainPagePolicy(operator),
      // The address has the secret.
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      vary: 'accept-language',
    })
    .send(
      renderPage(operator, {
        language,
        title: words[language][page.state],
        content: contentOf(page),
        ...(page.state === 'open' && { translation: { language: other, href: `?lang=${other}` } }),
      }),
    )
}

function contentOf(page: TicketPage): string {
  const text = words[page.language]
  const title = `<h1>${escapeHtml(text[page.state])}</h1>`
  if (page.state === 'arrived') return `${title}${paragraph(text.arrivedText)}`
  if (page.state === 'ended') return `${title}${paragraph(text.endedText)}`
  if (page.state === 'refused') {
    const reason = page.code in text.reasons ? text.reasons[page.code as keyof typeof text.reasons] : text.other
    return `${title}${paragraph(reason)}<p><a href="?lang=${page.language}">${escapeHtml(text.again)}</a></p>`
  }
  const form =
    `<form method="post" action="?lang=${page.language}" enctype="multipart/form-data">` +
    `<p><label>${escapeHtml(text.choose)} <input type="file" name="file" accept="image/*,video/*,application/pdf" required></label></p>` +
    `<button>${escapeHtml(text.send)}</button></form>`
  return `${title}${paragraph(text.openText(formatBytes(page.bytesMax)))}${form}<p class="quiet">${escapeHtml(text.once)}</p>`
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}
