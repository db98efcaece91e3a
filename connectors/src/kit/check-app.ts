import { Type } from 'typebox'
import type { App } from './auth.ts'
import { cutText } from './cut-text.ts'
import type { Call, Classify, Http } from './http.ts'
import { PlatformError } from './platform-error.ts'

/** What a platform says, without a user, about one part of a developer app. `said` are its own words. */
export type Verdict = { outcome: 'accepted' | 'refused' | 'unknown'; said: string | null }

export type AppCheck = { /** The id and the secret. */ app: Verdict; redirect: Verdict }

export type AppQuestion = {
  app: App
  redirectUrl: string
  /** The page to which people would be sent. */
  authorizeUrl: string
}

/** The answer of a platform, whatever its status is. A page is a text. */
export type Reply = { status: number; body: unknown }

class RefusedReply extends PlatformError {
  readonly reply: Reply

  constructor(reply: Reply) {
    super({ kind: 'rejected', platformCode: null, message: `The platform answered with status ${reply.status}.` })
    this.reply = reply
  }
}

/** For the HTTP client of a check: an error answer is what a check reads, so nothing of it may be lost. */
export const keepReply: Classify = ({ status, body }) => new RefusedReply({ status, body })

export const untold: Verdict = { outcome: 'unknown', said: null }
const accepted: Verdict = { outcome: 'accepted', said: null }
const saidLengthMax = 300

type Question = Pick<Call<ReturnType<typeof Type.Unknown>>, 'method' | 'path' | 'query' | 'form' | 'headers'>

/** Null if there was no answer, or one of a server that fails: neither says anything about the app. */
export async function askAboutApp(http: Http, question: Question): Promise<Reply | null> {
  try {
    const { status, body } = await http.exchange({ ...question, anonymous: true, returns: Type.Unknown() })
    return { status, body }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return error instanceof RefusedReply && error.reply.status < 500 && error.reply.status !== 429 ? error.reply : null
  }
}

type Signs = { accepted?: readonly string[]; refused: readonly string[] }

/**
 * Judges an answer by words that it contains. Only words that the platform is known to use count: anything else is not told. `said` is the
 * platform's sentence.
 */
export function judgeByWords(reply: Reply | null, signs: Signs): Verdict {
  if (reply === null) return untold
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
  const has = (words: readonly string[] = []) => words.find((each) => text.toLowerCase().includes(each.toLowerCase()))
  const refused = has(signs.refused)
  if (refused !== undefined) return { outcome: 'refused', said: typeof reply.body === 'string' ? refused : wordsOf(reply.body) }
  return has(signs.accepted) === undefined ? { ...untold, said: wordsOf(reply.body) } : accepted
}

const messages = ['error_description', 'error_message', 'message', 'error'] as const

/** The sentence in an error answer, wherever the platform puts it. A page has none that could be told from its markup. */
function wordsOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  for (const name of messages) {
    const value: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined
    if (typeof value === 'string' && value !== '')
      return cutText(value.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim(), saidLengthMax)
    if (typeof value === 'object' && value !== null) return wordsOf(value)
  }
  return null
}

/** Opens the page to which people would be sent, without being signed in. Most platforms ask for a sign-in first, which tells nothing. */
export async function checkRedirect(http: Http, { authorizeUrl }: AppQuestion, refused: readonly string[]): Promise<Verdict> {
  const headers = { accept: 'text/html', 'accept-language': 'en' }
  const verdict = judgeByWords(await askAboutApp(http, { method: 'GET', path: authorizeUrl, headers }), { refused })
  return verdict.outcome === 'refused' ? verdict : untold
}
