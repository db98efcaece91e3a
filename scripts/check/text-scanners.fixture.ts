import { textOfHtml } from '../../connectors/src/kit/html.ts'
import { compareStatus } from '../../connectors/src/mastodon-api/compare-status.ts'
import { findFacets } from '../../connectors/src/bluesky/find-facets.ts'
import { cleanText as cleanPlatformText } from '../../connectors/src/kit/clean-text.ts'
import { compareText } from '../../connectors/src/kit/compare-text.ts'
import { parseJson } from '../../connectors/src/kit/parse-json.ts'
import { readRetryAfterMs } from '../../connectors/src/kit/read-retry-after-ms.ts'
import { refusalByStatus } from '../../connectors/src/kit/refusal.ts'
import { plainText, toLittleText } from '../../connectors/src/linkedin/little-text.ts'
import { manifests } from '../../connectors/src/manifests.gen.ts'
import { compareTweet } from '../../connectors/src/x/find.ts'
import { endpoints } from '../../contract/src/endpoints.ts'
import { checkText } from '../../core/src/check-text.ts'
import { connectionSlug } from '../../core/src/connection-slug.ts'
import { countBytes, countCodePoints, countText } from '../../core/src/count-text.ts'
import { findLinks } from '../../core/src/links/find-links.ts'
import { resolveSchedule } from '../../core/src/resolve-schedule.ts'
import { decodeBase64, decodeHex } from '../../sdk/src/bytes.ts'
import { cleanHashtags } from '../../server/src/features/ai/suggest-hashtags.ts'
import { cleanText as cleanModelText, fitCaption } from '../../server/src/features/ai/generate-captions.ts'
import { formatCsvLine } from '../../server/src/infra/text/csv-line.ts'
import { isWellFormedKey } from '../../server/src/features/api-keys/api-key.ts'
import { readAddress } from '../../server/src/features/connections/connect/find-app.ts'
import { cleanName as cleanMailName } from '../../server/src/features/invitations/invite.ts'
import { readRange } from '../../server/src/features/media/download/file.routes.ts'
import { cleanName } from '../../server/src/features/media/upload/store-file.ts'
import { authPaths } from '../../server/src/features/people/auth-paths.ts'
import { checkFields } from '../../server/src/features/people/check-fields.ts'
import { sessionCookie } from '../../server/src/features/people/cookies/session-cookie.ts'
import { buildWorkspaceRow } from '../../server/src/features/workspaces/create-workspace.ts'
import { checkUrl } from '../../server/src/infra/egress/guard-url.ts'
import { escapeHtml } from '../../server/src/infra/html/render-page.ts'
import { createValidator } from '../../server/src/infra/http/schemas/create-validator.ts'
import { readBearerKey } from '../../server/src/infra/http/authenticate.ts'
import { readJson } from '../../server/src/infra/http/create-app.ts'
import { composeMail } from '../../server/src/infra/mail/queue-mail.ts'
import { contentDisposition, isStorageKey } from '../../server/src/infra/storage/storage.ts'
import { trimSlashes } from '../../server/src/infra/text/trim-slashes.ts'

/** `few`: a few of the texts are enough, because the same code runs for many scanners. */
export type Scanner = { name: string; scan: (text: string) => unknown; few?: true }

const few = true as const
const config = { publicUrl: 'https://carillon.example' }
const parse = (text: string) => readJson(undefined as never, text, () => {})
const withLetters = 'Bells '.repeat(200)

/** Every function that reads a text of a user or of a platform character by character. */
export const textScanners: readonly Scanner[] = [
  { name: 'core: findLinks', scan: (text) => findLinks(text) },
  { name: 'core: findLinks, bare', scan: (text) => findLinks(text, { bare: true }) },
  ...Object.values(manifests).map((manifest) => ({
    name: `core: countText, ${manifest.name}`,
    scan: (text: string) => countText(text, { ...manifest.text }),
  })),
  ...Object.values(manifests).map((manifest) => ({
    name: `core: checkText, ${manifest.name}`,
    scan: (text: string) =>
      checkText({ field: 'text', text, extraLink: null, hasPhotos: false, hasFiles: false, counted: [] }, manifest),
    few,
  })),
  { name: 'core: countBytes', scan: countBytes },
  { name: 'core: countCodePoints', scan: countCodePoints },
  { name: 'core: connectionSlug', scan: (text) => connectionSlug('mastodon', text, () => false) },
  { name: 'core: resolveSchedule', scan: (text) => resolveSchedule({ scheduledAt: text, timezone: text }, 0) },

  { name: 'connectors: cleanText', scan: cleanPlatformText },
  { name: 'connectors: parseJson', scan: parseJson },
  // An escaped character takes six times its space.
  { name: 'connectors: parseJson, list', scan: (text) => parseJson(JSON.stringify([text.slice(0, text.length / 6)])) },
  { name: 'connectors: readRetryAfterMs', scan: (text) => readRetryAfterMs({ 'retry-after': text }, 0) },
  { name: 'connectors: refusalByStatus', scan: (text) => refusalByStatus('A platform', 400, text) },
  {
    name: 'connectors: compareText, same length',
    scan: (text) => compareText(text.slice(0, text.length / 2), text.slice(1, text.length / 2)),
  },
  { name: 'connectors: compareText, from a server', scan: (text) => compareText(withLetters, text) },
  { name: 'connectors: textOfHtml', scan: textOfHtml },
  { name: 'connectors: compareStatus', scan: (text) => compareStatus(withLetters, text) },
  { name: 'connectors: compareTweet', scan: (text) => compareTweet(withLetters, { text }) },
  { name: 'connectors: findFacets', scan: (text) => findFacets(text, {}) },
  { name: 'connectors: toLittleText', scan: toLittleText },
  { name: 'connectors: plainText', scan: plainText },

  ...endpoints.flatMap(({ id, body, query }) => [
    ...(body ? [{ name: `contract: body of ${id}`, scan: scanFields(createValidator(body, 'body'), body), few }] : []),
    ...(query ? [{ name: `contract: query of ${id}`, scan: scanFields(createValidator(query, 'query'), query), few }] : []),
  ]),

  { name: 'server: readJson', scan: parse },
  { name: 'server: readJson, text', scan: (text) => parse(JSON.stringify({ text: text.slice(0, text.length / 6) })) },
  { name: 'server: readBearerKey', scan: (text) => readBearerKey(`Bearer ${text}`) },
  { name: 'server: isWellFormedKey', scan: (text) => isWellFormedKey(`sk_${text}`) },
  { name: 'server: sessionCookie', scan: (text) => sessionCookie(config, text) },
  {
    name: 'server: checkFields',
    scan: (text) => authPaths.map(({ fields = {} }) => refused(() => checkFields(fields, everyField(fields, text)))),
  },
  { name: 'server: escapeHtml', scan: escapeHtml },
  {
    name: 'server: composeMail',
    scan: (text) =>
      composeMail({
        to: 'a@b.example',
        subject: text,
        paragraphs: [text],
        link: { label: 'x', url: 'y' },
        operator: { name: text, contact: null },
      }),
  },
  { name: 'server: cleanName of a mail', scan: (text) => cleanMailName(text, 'a person') },
  { name: 'server: cleanName', scan: cleanName },
  { name: 'server: contentDisposition', scan: (text) => contentDisposition({ fileName: cleanName(text), isAttachment: true }) },
  { name: 'server: isStorageKey', scan: isStorageKey },
  { name: 'server: readRange', scan: (text) => readRange(`bytes=${text}`, 100) },
  { name: 'server: readAddress', scan: readAddress },
  { name: 'server: checkUrl', scan: (text) => checkUrl(`https://${text}`, { https: true, allow: [] }) },
  { name: 'server: checkUrl, path', scan: (text) => checkUrl(`https://a.example/${text}`, { https: true, allow: [] }) },
  { name: 'server: trimSlashes', scan: trimSlashes },
  { name: 'server: formatCsvLine', scan: (text) => formatCsvLine([text]) },
  {
    name: 'server: slug of a workspace',
    scan: (text) => buildWorkspaceRow({ name: text, timezone: 'UTC', plan: 'free', nowMs: 0 }),
  },
  { name: 'server: cleanText of a model', scan: cleanModelText },
  { name: 'server: cleanHashtags', scan: (text) => cleanHashtags([text], new Set()) },
  { name: 'server: fitCaption', scan: (text) => fitCaption(text, manifests.mastodon.text) },

  { name: 'sdk: decodeHex', scan: decodeHex },
  { name: 'sdk: decodeBase64', scan: decodeBase64 },
]

/** The text divided among all fields, as texts and as lists of short texts. */
function scanFields(check: (value: unknown) => void, { properties = {} }: { properties?: Record<string, unknown> }) {
  const names = Object.keys(properties)
  return (text: string) => {
    const share = Math.floor(text.length / Math.max(1, names.length))
    const shareOf = (n: number) => text.slice(n * share, (n + 1) * share)
    refused(() => check(Object.fromEntries(names.map((name, n) => [name, shareOf(n)]))))
    const items = (n: number) => Array.from({ length: Math.floor(share / 20) }, (_, item) => `${text.slice(n, n + 10)}${item}`)
    refused(() => check(Object.fromEntries(names.map((name, n) => [name, items(n)]))))
  }
}

function everyField(fields: object, text: string): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, text]))
}

function refused(work: () => void): void {
  try {
    work()
  } catch {
    // A refusal is the expected answer to most of these texts.
  }
}
