import { request } from 'undici'

type Fetched = { isOk: true; text: string; dateMs: number | null } | { isOk: false; text: string; problem: string }

const timeoutMs = 5000
const bytesMax = 100_000

/** Reads an address that the operator configured. It does not follow redirects. */
export async function fetchText(url: string): Promise<Fetched> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const { statusCode, headers, body } = await request(url, { signal, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
    const text = (await body.text()).slice(0, bytesMax)
    const { location, date } = headers
    if (statusCode >= 300) {
      const target = location === undefined ? '' : `, a redirect to ${String(location)}`
      return { isOk: false, text, problem: `it answers with status ${statusCode}${target}` }
    }
    const dateMs = Date.parse(String(date))
    return { isOk: true, text, dateMs: Number.isNaN(dateMs) ? null : dateMs }
  } catch (error) {
    const { code, name, message } = error as Error & { code?: string }
    return { isOk: false, text: '', problem: name === 'TimeoutError' ? 'no answer within 5 seconds' : code || message }
  }
}
