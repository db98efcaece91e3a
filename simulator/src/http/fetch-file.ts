const fetchMsMax = 10_000

/** What stores answer to HEAD at an address that is signed for GET. S3 does, and platforms take files from there. */
const headRefusals = [403, 405, 501]

type Fetcher = { userAgent: string; redirect?: 'follow' | 'error' }
type FetchedFile = { ok: boolean; mime: string; bytes: Buffer }

/**
 * Fetches a file from an address that a post names, as the programs of a platform do: they ask for its size and type first, with a name of
 * their own and without cookies, and take no file whose answers contradict each other.
 */
export async function fetchFile(url: string, { userAgent, redirect = 'follow' }: Fetcher): Promise<FetchedFile> {
  const request = { headers: { 'user-agent': userAgent }, redirect, credentials: 'omit' } as const
  const asked = await fetch(url, { ...request, method: 'HEAD', signal: AbortSignal.timeout(fetchMsMax) })
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(fetchMsMax) })
  const mime = typeOf(response)
  const bytes = Buffer.from(await response.arrayBuffer())
  const isRefused = headRefusals.includes(asked.status)
  const agrees =
    asked.ok && typeOf(asked) === mime && Number(asked.headers.get('content-length') ?? bytes.length) === bytes.length
  return { ok: response.ok && (isRefused || agrees), mime, bytes }
}

function typeOf({ headers }: Response): string {
  return headers.get('content-type')?.split(';')[0] ?? ''
}
